# SPDX-License-Identifier: GPL-2.0-or-later
# A plugin of sos report for iotrace: what somebody who helps needs to know. See docs/SUPPORT.md.
#   sos report -o iotrace
#   sos report -o iotrace -k iotrace.recording=FOLDER[:FOLDER...]
#
# Of a recording it takes the summary only, in which nodes and places, the names of files, processes, locks and hosts, are replaced by
# stable hashes: two reports can be compared with each other, and who knows a name finds it again. (Who guesses a name can check it.) It
# takes no page, report or recording: names are in all their texts, and iotrace-analyze cannot replace them there. It does not run
# iotrace-record --check, which ends tracing that others may have under way on agents.
import hashlib
import json
import shlex

from sos.report.plugins import Plugin, RedHatPlugin, DebianPlugin, UbuntuPlugin

try:
    from sos.report.plugins import PluginOpt
except ImportError:  # before sos 4.2
    PluginOpt = None

# the members of a summary that have names, see docs/formats/summary.md
NAMES = ('node', 'place', 'holder')
RECORDING = 'folders or files with recordings whose summaries are taken'


def anonymous(name):
    """A path, of which each part is replaced by its hash."""
    return '/'.join('x' + hashlib.sha256(part.encode()).hexdigest()[:12]
                    for part in name.split('/'))


def anonymise(value):
    """Replaces all names in a summary that was read from JSON."""
    if isinstance(value, list):
        return [anonymise(element) for element in value]
    if isinstance(value, dict):
        return {key: anonymous(member) if key in NAMES and isinstance(member, str) else anonymise(member)
                for key, member in value.items()}
    return value


class Iotrace(Plugin, RedHatPlugin, DebianPlugin, UbuntuPlugin):

    short_desc = 'iotrace: timelines of the locks, calls and waits of a cluster'

    plugin_name = 'iotrace'
    profiles = ('cluster', 'performance', 'storage')
    packages = ('iotrace', 'iotrace-agent', 'iotrace-dkms')
    files = ('/usr/local/bin/iotrace-analyze', '/usr/local/sbin/iotrace-agent')
    if PluginOpt:
        option_list = [PluginOpt('recording', desc=RECORDING, default='', val_type=str)]
    else:
        option_list = [('recording', RECORDING, 'slow', '')]

    def setup(self):
        self.add_cmd_output([
            'iotrace-analyze --version',
            'iotrace-record --version',
            'iotrace-clock --version',
            'iotrace-agent --version',
            'dkms status iotrace',
            'modinfo iotrace',
            'systemctl status iotrace-agent.service',
        ])
        self.add_journal(units='iotrace-agent')
        self.add_copy_spec([
            '/etc/default/iotrace-agent',
            '/sys/kernel/debug/iotrace/stats',
        ])
        recordings = self.get_option('recording')
        for recording in recordings.split(':') if isinstance(recordings, str) else []:
            if recording:
                self.add_summary(recording)

    def add_summary(self, recording):
        name = 'summary-' + anonymous(recording)[-12:]
        result = self.exec_cmd('iotrace-analyze -q --index off -o summary:- ' + shlex.quote(recording),
                               timeout=3600, stderr=False)
        try:
            summary = anonymise(json.loads(result['output']))
        except ValueError:
            self.add_string_as_file('no summary: iotrace-analyze ended with status %s\n' % result['status'],
                                    name + '.txt')
            return
        self.add_string_as_file(json.dumps(summary), name + '.json')

# vim: et ts=4 sw=4
