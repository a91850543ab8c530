import { useState } from 'preact/hooks';
import { calls } from '../../api/functions';
import { send } from '../../api/http';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { FormDialog } from '../../ui/FormDialog';
import { TextField } from '../../ui/TextField';

const words = text.libraries;

export const SAMPLE = 'export function cents(amount) {\n  return Math.round(amount * 100);\n}\n';

/** Saves a version of a library. @param saved is told its name and version */
export function LibraryDialog({ close, saved }: { close: () => void; saved: (id: string) => void }) {
  const [name, rename] = useState('');
  const [version, number] = useState('1.0.0');
  const [code, edit] = useState(SAMPLE);
  const call = calls.library(name || 'NAME', version, code);
  const submit = async () => {
    await send(call);
    toast(words.saved(`${name}@${version}`));
    saved(`${name}@${version}`);
    close();
  };
  return (
    <FormDialog title={words.create} verb={text.actions.save} command={call} submit={submit} close={close}>
      <p class="soft">{words.forever}</p>
      <TextField id="library-name" label={words.name} required value={name} change={rename} />
      <TextField id="library-version" label={words.version} required value={version} change={number} />
      <Code doc={code} label={words.code} language="javascript" changed={edit} lines={10} />
    </FormDialog>
  );
}
