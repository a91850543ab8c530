import type { LineInsight } from '../../api/functions';
import { text } from '../../text';
import { compact, count, micros } from '../../ui/format';
import type { LineMark } from '../../ui/editor/insight';

/** What stands in the gutter: how often a line ran, in red if it failed; on hover the rest. */
export function lineMarks(lines: Record<string, LineInsight>): Map<number, LineMark> {
  return new Map(
    Object.entries(lines).map(([line, { call_count, call_time, error_count, error_msg, last_log, last_trace }]) => {
      const each = call_count === 0 ? 0 : call_time / call_count;
      const title = [
        text.functions.insightLine(count(call_count), count(error_count), micros(each)),
        error_msg,
        last_log,
        last_trace === '' ? '' : text.functions.insightTrace(last_trace),
      ];
      const failing = error_count > 0;
      return [
        Number(line),
        {
          shown: failing ? `! ${compact(error_count)}` : compact(call_count),
          title: title.filter((one) => one !== '').join('\n'),
          failing,
        },
      ];
    }),
  );
}
