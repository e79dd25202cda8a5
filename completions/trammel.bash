# completions/trammel.bash - completion for bash.
#
# Install as /usr/share/bash-completion/completions/trammel, or source it.

# Words that begin with $2, each behind $3. compgen -W would have expanded them, and names in a stranger's results may
# read $(command): they are compared as they are and quoted for the line.
_trammel_offer()
{
    local word words
    COMPREPLY=()
    read -r -d '' -a words <<<"$1"
    for word in "${words[@]}"; do
        if [[ $word == "$2"* ]]; then
            printf -v word %q "$word"
            COMPREPLY+=("$3$word")
        fi
    done
}

_trammel_words()
{
    _trammel_offer "$1" "$cur" ""
}

# the last of words separated by commas; those before it stay
_trammel_list()
{
    local kept=
    if [[ $cur == *,* ]]; then
        kept=${cur%,*},
    fi
    _trammel_offer "$1" "${cur##*,}" "$kept"
}

# files that end in one of the suffixes ("h5|hdf5"), and folders
_trammel_files()
{
    local file IFS=$'\n'
    COMPREPLY=($(compgen -d -- "$cur"))
    for file in $(compgen -f -- "$cur"); do
        if [[ $file =~ \.($1)$ ]]; then
            COMPREPLY+=("$file")
        fi
    done
    compopt -o filenames 2>/dev/null
}

# the result file that `trammel plot` was given
_trammel_results()
{
    local word
    for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
        if [[ $word =~ \.(h5|hdf5|csv)$ ]]; then
            printf '%s\n' "$word"
            return
        fi
    done
}

# channels of that file
_trammel_channels()
{
    local file
    file=$(_trammel_results)
    _trammel_words "$(trammel plot "$file" --list -q 2>/dev/null | awk '{print $1}')"
}

_trammel()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]}

    # --name=value is three words here
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if ((COMP_CWORD == 1)); then
        _trammel_words "run check compare statics linearize kinematics inverse sweep fit optimize rail plot report watch export reduce recover statistics convert bench help schema repair integrators --version --help"
        return
    fi
    case $prev in
    --integrators)
        _trammel_list "$(trammel integrators 2>/dev/null)"
        return
        ;;
    --integrator | --reference | -i)
        if [[ $command == compare && $prev == -i ]]; then
            _trammel_list "$(trammel integrators 2>/dev/null)"
        else
            _trammel_words "$(trammel integrators 2>/dev/null)"
        fi
        return
        ;;
    --output | -o)
        if [[ $command == plot ]]; then
            _trammel_files 'svg|png'
        elif [[ $command == report ]]; then
            _trammel_files 'html'
        else
            _trammel_files 'h5|hdf5'
        fi
        return
        ;;
    --csv)
        _trammel_files 'csv'
        return
        ;;
    --report)
        _trammel_files 'html'
        return
        ;;
    --svg)
        _trammel_files 'svg'
        return
        ;;
    --summary | --json)
        _trammel_files 'json'
        return
        ;;
    --commands)
        _trammel_files 'acf'
        return
        ;;
    --user-library)
        _trammel_files 'so'
        return
        ;;
    --solids)
        _trammel_words "none ellipsoid box"
        return
        ;;
    --mean)
        _trammel_words "goodman gerber soderberg swt"
        return
        ;;
    --measure)
        _trammel_words "mises principal plane"
        return
        ;;
    --style)
        _trammel_words "light dark"
        return
        ;;
    --x | -x)
        _trammel_channels
        return
        ;;
    --tol | -t | --end | -e | --output-step | --step | --threads | --option | --set | --input | --tols | \
        --channels | --repeat | --error | --port | -p | --at | --modes | -k | --shift | --from | --to | --title | --size | \
        --scale | --xlabel | --ylabel | --limit | --ultimate | --yield)
        return
        ;;
    esac
    case $command:$cur in
    run:-*)
        _trammel_words "--integrator --tol --end --output-step --step --option --set --input \
            --solid --solids --flex --user-library --output --csv --summary --report --dump --checkpoint --checkpoint-every --resume --check-error --threads --quiet --stats --strict --force --commands --help -i -t -e -o -q"
        ;;
    compare:-*)
        _trammel_words "--integrators --tols --end --output-step --channels --reference --set --strict \
            --input --solid --solids --flex --user-library --repeat --absolute --limit --csv --svg --report --help -i -t -e"
        ;;
    statics:-*)
        _trammel_words "--json --nearest --spin --fixed --path --path-step --path-points --csv --output --set --strict --input \
            --solid --solids --flex --user-library --quiet --help -o -q"
        ;;
    linearize:-*)
        _trammel_words "--static --nearest --at --modes --shift --partition --spin --fixed --over --critical --svg --json --csv --set --strict \
            --input --solid --solids --flex --user-library --quiet --help --output --report -o -k -q"
        ;;
    rail:-*)
        _trammel_words "--left --right --range --step --yaw --base --radius --gap --csv --json --svg --set --strict \
            --input --solid --solids --flex --user-library --quiet --help -q"
        ;;
    plot:-*)
        _trammel_words "--output --list --x --from --to --log --title --xlabel --ylabel --size \
            --scale --style --quiet --help -o -l -x -q"
        ;;
    watch:-*)
        _trammel_words "--port --no-open --quiet --help -p -q"
        ;;
    report:-*)
        _trammel_words "--output --error --quiet --help -o -q"
        ;;
    export:-*)
        _trammel_words "--output --list --units -o -l --vtk --quiet --help -q"
        ;;
    kinematics:-*)
        _trammel_words "--motion --grid --end --output-step --tol --output --csv --report --summary --set --strict \
            --input --user-library --solid --solids --flex --quiet --help -e -t -o -q"
        ;;
    inverse:-*)
        _trammel_words "--motion --end --output-step --tol --output --csv --report --summary --set --strict \
            --input --user-library --solid --solids --flex --quiet --help -e -t -o -q"
        ;;
    sweep:-*)
        _trammel_words "--output --csv --report --reports --jobs --resume --restart --integrator --tol --end --output-step --dry-run --set --strict \
            --input --user-library --solid --solids --flex --quiet --help -o -j -i -t -e -n -q"
        ;;
    fit:-*)
        _trammel_words "--output --csv --report --resume --restart --integrator --tol --set --strict \
            --input --user-library --solid --solids --flex --quiet --help -o -i -t -q"
        ;;
    optimize:-*)
        _trammel_words "--output --csv --report --method --evaluations --resume --restart --integrator --tol --set --strict \
            --input --user-library --solid --solids --flex --quiet --help -o -i -t -q"
        ;;
    recover:-*)
        _trammel_words "--part --body --hottest --apart --nodes --from --until --output --peaks \
            --stress-life --ultimate --yield --mean --measure --cycles --vtk --quiet --help -b -n -o -q"
        ;;
    reduce:-*)
        _trammel_words "--output --report --set --strict --quiet --help -o -q"
        ;;
    convert:-*)
        _trammel_words "--input --flex --strict --quiet --help -q"
        ;;
    bench:-*)
        _trammel_words "--json --svg --brief --all --results --table --help"
        ;;
    check:-*)
        _trammel_words "--set --strict --input --solid --solids --flex --user-library --help"
        ;;
    statistics:-*)
        _trammel_words "--low-pass --order --from --to --along --every --level --json --quiet --help"
        ;;
    help:-*)
        _trammel_words "--list --help"
        ;;
    *:-*)
        _trammel_words "--help"
        ;;
    run:* | check:* | compare:* | statics:* | linearize:* | kinematics:* | inverse:* | sweep:* | fit:* | optimize:* | rail:* | convert:*)
        _trammel_files 'ya?ml|json|adm|acf'
        ;;
    reduce:*)
        _trammel_files 'ya?ml'
        ;;
    schema:*)
        _trammel_words "part"
        ;;
    plot:* | export:* | statistics:*)
        if [[ $(_trammel_results) == "" ]]; then
            _trammel_files 'h5|hdf5|csv'
        else
            _trammel_channels
        fi
        ;;
    help:*)
        _trammel_words "run check compare statics linearize kinematics inverse sweep fit optimize rail plot report watch export reduce recover statistics convert bench help schema repair integrators \
            $(trammel help --list 2>/dev/null)"
        ;;
    bench:*)
        _trammel_words "$(trammel bench 2>/dev/null | awk '{print $1}')"
        ;;
    repair:* | report:* | watch:*)
        _trammel_files 'h5|hdf5'
        ;;
    esac
}

complete -F _trammel trammel
