#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong model files, and models that do not fit the recordings: status 1, and the place of the mistake.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

dlm=$source_dir/events/models/dlm.model
[[ -e $dlm ]] || skip_all "no $dlm"
text_recording one > "$in/one"

# bad NAME LINE TEXT: the model in $in/NAME.model is wrong in LINE; checked alone and when used
bad()
{
	local file=$in/$1.model line=$2 text=$3
	refuse "check $1" 1 "$file:$line:" "$text" -- --check-model "$file"
	refuse "use $1" 1 "$file:$line:" "$text" -- -m "$file" -o slog2:x "$in/one"
}

refuse 'missing model file' 1 "$in/none.model" -- -m "$in/none.model" -o text:x "$in/one"
refuse 'missing model' 1 'dln' 'did you mean dlm?' -- -m dln -o text:x "$in/one"
refuse 'directory as model' 1 "$in" -- -m "$in/" -o text:x "$in/one"
refuse 'missing file to check' 1 'none.model' -- --check-model none.model

{ cat "$dlm"; echo 'this is no line of a model'; } > "$in/noise.model"
bad noise "$(wc -l < "$in/noise.model")" ''
{ cat "$dlm"; echo '[gearbox main]'; } > "$in/kind.model"
bad kind "$(wc -l < "$in/kind.model")" 'gearbox'
{ cat "$dlm"; printf '[point zzz]\ncolor = red\n'; } > "$in/key.model"
bad key "$(wc -l < "$in/key.model")" 'color'
{ cat "$dlm"; printf '[point zzz\n'; } > "$in/heading.model"
bad heading "$(wc -l < "$in/heading.model")" ''
fileio=$source_dir/events/models/fileio.model
{ cat "$fileio"; printf '[keytable t]\nkey = a\nset 1 = call open key a b value x\n'; } > "$in/keys.model"
bad keys "$(wc -l < "$in/keys.model")" 'wrong number of keys'
{ cat "$fileio"; printf '[counter c]\non = thread\nrule 1 = call reed add 1\n'; } > "$in/counter.model"
bad counter "$(wc -l < "$in/counter.model")" '[pair reed]'
{ cat "$fileio"; printf '[point p]\nevent = task\npoints = error\nvalue = {nobody[tgid]}\n'; } > "$in/table.model"
bad table "$(wc -l < "$in/table.model")" '[keytable nobody]'
sched=$source_dir/events/models/sched.model
sed 's/^cpu     = cpu$/cpu = cpus/' "$sched" > "$in/processor.model"
bad processor "$(grep -n '^cpu = cpus' "$in/processor.model" | cut -d: -f1)" '[values cpu] has no attribute "cpus" that is a number'
sed 's/^waiting = runnable$/waiting = runable/' "$sched" > "$in/waiting.model"
bad waiting "$(grep -n '^waiting = runable' "$in/waiting.model" | cut -d: -f1)" '[values cpu] has no value "runable"'
{ sed '/^\[interrupts\]$/,/^events/d' "$sched"; printf '[interrupts]\nevents = waking\n'; } > "$in/interrupts.model"
bad interrupts "$(wc -l < "$in/interrupts.model")" 'waking is a [role]'
sed 's/^let ino = end.ino/let ino = end./' "$fileio" > "$in/let.model"
bad let "$(grep -n '^let ino' "$in/let.model" | cut -d: -f1)" 'is not the name of a field'
sed 's/mode-nl  *hold/no-such-colour hold/' "$dlm" > "$in/colour.model"
bad colour "$(grep -n no-such-colour "$in/colour.model" | cut -d: -f1)" 'no-such-colour'
printf '# nothing\n[model]\nname = x\n' > "$in/system.model"
bad system 2 'system'
: > "$in/empty.model"
refuse 'empty model' 1 "$in/empty.model" -- --check-model "$in/empty.model"
head -c 5000 /dev/urandom > "$in/random.model"
refuse 'model without end' 1 '/dev/zero' 'larger than' -- -m /dev/zero -o text:x "$in/one"
refuse 'model without end to check' 1 '/dev/zero' 'larger than' -- --check-model /dev/zero
refuse 'random bytes' 1 "$in/random.model" -- --check-model "$in/random.model"

# a field that the event does not have, in a recording that has the event
sed 's/lkb_id/lkb_idx/g' "$dlm" > "$in/field.model"
if [[ -e $examples/trace-5.dat ]]; then
	refuse 'field that is not there' 1 'lkb_idx' 'trace-5.dat' -- -m "$in/field.model" -o text:x "$examples/trace-5.dat"
	refuse 'check against a recording' 1 'lkb_idx' 'trace-5.dat' -- --check-model "$in/field.model" "$examples/trace-5.dat"
fi

# and the good ones are good
for model in "$source_dir"/events/models/*.model; do
	run --check-model "$model"
	check_status "the shipped ${model##*/}" 0
	[[ -s $scratch/out && ! -s $scratch/err ]] || fail "${model##*/}: no description, or a message"
done
summary
