#!/usr/bin/env bash
# tools/fuzz.sh MINUTES [TARGET...] - runs the targets of the fuzzer one after another, MINUTES in all.
#
# Inputs that reach something new stay in out/fuzz/corpus/TARGET, those that fail in out/fuzz/crashes.
# `tools/fuzz.sh merge [TARGET...]` renews the small corpora in tests/fuzz/corpus from the former.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=build-fuzz/tests/fuzz
out=out/fuzz
minutes=$1
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for program in "$bin"/fuzz-*; do
        targets+=("${program##*/fuzz-}")
    done
fi
export OPENBLAS_NUM_THREADS=1 TRAMMEL_FUZZ_OUT=$out/crashes
TRAMMEL_FUZZ_FOLDER=$(mktemp -d /dev/shm/fuzz-XXXXXX 2>/dev/null || mktemp -d)
export TRAMMEL_FUZZ_FOLDER
trap 'rm -rf "$TRAMMEL_FUZZ_FOLDER"' EXIT
# places of allocations cost a quarter of the time; an input that fails is run again to see them
export ASAN_OPTIONS=quarantine_size_mb=2:malloc_context_size=0:max_malloc_fill_size=0

# Inputs stay short: longer ones run slower and mutate worse.
options() {
    local length=600 leaks=1
    case $1 in
        # HDF5 keeps memory between files; what is ours is counted by the targets themselves
        report | plot | repair | export) length=48 leaks=0 ;;
        expression | table | csv | mesh) length=300 ;;
    esac
    echo "-max_len=$length -detect_leaks=$leaks -timeout=10 -rss_limit_mb=3000 -entropic=0 -reload=0"
}

merge() {
    for target in "${targets[@]}"; do
        rm -rf "$out/small"
        mkdir -p "$out/small" "$out/corpus/$target" "tests/fuzz/corpus/$target"
        # shellcheck disable=SC2046
        "$bin/fuzz-$target" $(options "$target") -set_cover_merge=1 "$out/small" "tests/fuzz/corpus/$target" \
            "$out/corpus/$target" "$out/seeds/$target" >"$out/merge-$target.log" 2>&1
        python3 tests/fuzz/keep.py "$out/small" "tests/fuzz/corpus/$target"
        echo "$target: $(find "tests/fuzz/corpus/$target" -type f | wc -l) files"
    done
}

run() {
    local seconds=$((minutes * 60 / ${#targets[@]})) failed=0
    for target in "${targets[@]}"; do
        mkdir -p "$out/corpus/$target" "$out/crashes" "$out/seeds/$target"
        local words=()
        [ -f "$out/seeds/$target.dict" ] && words=("-dict=$out/seeds/$target.dict")
        # shellcheck disable=SC2046
        if ! "$bin/fuzz-$target" $(options "$target") "${words[@]}" -max_total_time=$seconds \
            -print_final_stats=1 -artifact_prefix="$out/crashes/$target-" "$out/corpus/$target" \
            "tests/fuzz/corpus/$target" "$out/seeds/$target" >"$out/$target.log" 2>&1; then
            failed=1
            echo "$target: FAILED, see $out/$target.log; again by"
            echo "    $bin/fuzz-$target $(sed -n 's/.*Test unit written to //p' "$out/$target.log" | tail -1)"
        fi
        echo "$target: $(sed -n 's/^stat::number_of_executed_units: //p' "$out/$target.log") executions"
    done
    return $failed
}

if [ "$minutes" = merge ]; then merge; else run; fi
