#!/bin/sh
# tools/figures.sh TRAMMEL - draws the figures of docs/guide again, but for those with measured times.
set -eu
trammel=$1
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$trammel" run models/demo.yaml -q -o "$work/demo.h5"
"$trammel" plot "$work/demo.h5" stroke speed press pin_load --from 1 \
    --title "Crank press with an elastic drive" -o docs/guide/plot.svg
"$trammel" run models/double_pendulum.yaml -q -o "$work/pendulum.h5"
"$trammel" plot "$work/pendulum.h5" omega1 omega2 -x theta1 --size 480x360 -o docs/guide/plot_phase.svg
