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

"$trammel" rail models/rail/metro_car.yaml -q --svg docs/guide/rail_contact.svg

# pictures of reports need the viewer, its packages and chromium
if [ -f viewer/dist/viewer.html ] && [ -d viewer/node_modules ] && command -v chromium >/dev/null; then
    (cd viewer && npm run --silent compile)
    picture() { # name of a report in $work, then what picture.js takes
        name=$1
        shift
        node viewer/build/tests/picture.js "$work/$name.html" "$@"
    }
    "$trammel" report "$work/demo.h5" -q -o "$work/demo.html"
    picture demo docs/guide/report_mechanism.png --time 1.13 --select ram --keys rs
    picture demo docs/guide/report_solver.png --view solver --theme dark --time 1.13
    picture demo docs/guide/report_xy.png --view plots --time 1.2 --zoom 0.8,3 --plot press,pin_load,speed --over stroke
    "$trammel" run models/demo.yaml -q --set m_ram=30 --set speed=20 -o "$work/heavy.h5"
    "$trammel" report "$work/demo.h5" "$work/heavy.h5" -q -o "$work/two.html"
    picture two docs/guide/report_two.png --time 1.13 --keys s
    "$trammel" linearize models/cases/swept_blade.yaml --static --modes 8 -q --report "$work/modes.html"
    picture modes docs/guide/report_modes.png --mode 3
    "$trammel" run models/flexible/four_bar.yaml -q -o "$work/bar.h5" --report "$work/bar.html"
    picture bar docs/guide/report_flexible.png --time 0.08 --keys r
    "$trammel" run models/rail/metro_car.yaml -q -e 8 --output-step 0.05 --report "$work/car.html"
    picture car docs/guide/report_rail.png --time 5 --size 1180x600 --keys s --plot Y_left,Y_right,y11,y12
    "$trammel" run models/vehicles/kerb.yaml -q -o "$work/kerb.h5" --report "$work/kerb.html"
    picture kerb docs/guide/car_kerb.png --time 2.55 --keys s --near 13,330,362 --plot load_fr,load_rr,roll
else
    echo "figures: pictures of reports left out (viewer or chromium missing)"
fi
