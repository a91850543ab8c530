import { toast } from '../shell/toasts';
import { text } from '../text';

/** Copies text; without a secure origin browsers offer no clipboard, and a selected field is copied instead. */
export async function copy(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    const field = document.createElement('textarea');
    field.value = value;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  toast(text.actions.copied);
}
