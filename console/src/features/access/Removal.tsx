import { type Call, send } from '../../api/http';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Confirm } from '../../ui/Dialog';

interface Props {
  title: string;
  body: string;
  /** What has to be typed. */
  name: string;
  call: Call;
  close: () => void;
  changed: () => void;
}

/** Deletes after its name was typed. */
export function Removal({ title, body, name, call, close, changed }: Props) {
  const act = () =>
    void send(call).then(
      () => {
        toast(text.access.deleted(name));
        changed();
      },
      (error: Error) => toast(error.message, true),
    );
  return <Confirm title={title} body={body} name={name} verb={title} call={call} close={close} act={act} />;
}
