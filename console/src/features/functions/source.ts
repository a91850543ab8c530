import type { Definition } from '../../api/functions';
import { text } from '../../text';

/** What a function handles in place of the documents of a bucket, for people. */
export const otherSource = ({ source_topic: topic, source_cluster: cluster, source_kind: kind, source_category: category }: Definition['depcfg']) => {
  if (topic === undefined) return `${category ?? ''}-*`;
  if (cluster !== undefined) return `kafka:${cluster}/${topic}`;
  return kind === 'redis-channel' ? text.functions.channel(topic) : topic;
};
