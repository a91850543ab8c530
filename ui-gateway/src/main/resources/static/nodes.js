'use strict';

const PAUSE_MILLIS = 2000;

/** Stands for a node in the ownership of vbuckets that were released. */
const NO_OWNER = '-';

/** Returns the number of vbuckets in a set such as "0-340,512". */
function size(vbuckets) {
  return (vbuckets || '')
    .split(',')
    .filter((range) => range !== '')
    .map((range) => range.split('-').map(Number))
    .reduce((sum, [first, last = first]) => sum + last - first + 1, 0);
}

function described(vbuckets) {
  return vbuckets ? `${size(vbuckets)}: ${vbuckets}` : 'none';
}

/** Returns sentences about the cluster and its latest change. */
function summary({mode, live, members, out, rebalancing, change}) {
  const sentences = [
    `${members.filter((node) => live.includes(node)).length} of ${members.length} nodes alive, mode ${mode}.`,
  ];
  if (rebalancing) {
    const {id, type} = change.message;
    sentences.push(`Change ${id} (${type}) is in progress, phase ${change.phase.toLowerCase()}.`);
    if (change.cancel) {
      sentences.push('The change is being cancelled.');
    }
  } else if (change && change.error) {
    sentences.push(`The last change failed: ${change.error}`);
  }
  if (out.length > 0) {
    sentences.push(`Removed although alive: ${out.join(', ')}. The next requested rebalance adds them again.`);
  }
  return sentences;
}

function state(node, {live, members, out}) {
  if (!live.includes(node)) {
    return 'not alive';
  }
  return members.includes(node) ? 'alive' : out.includes(node) ? 'removed' : 'not a member yet';
}

/** Returns the rows of the table of nodes. */
function nodeRows(topology, tasks) {
  const task = tasks.tasks.find(({detailedProgress}) => detailedProgress) || {detailedProgress: {}};
  const done = task.detailedProgress;
  const progress = (part) => task.type !== 'task-prepared' ? `${Math.floor(part * 100)} %` : part < 1 ? 'preparing' : 'prepared';
  const names = new Set([
    ...topology.live,
    ...topology.members,
    ...Object.keys(topology.planned),
    ...Object.keys(topology.before),
  ]);
  return [...names].sort().map((node) => [
    node,
    state(node, topology),
    described(topology.planned[node]),
    topology.rebalancing ? described(topology.before[node]) : '',
    node in done ? progress(done[node]) : '',
  ]);
}

/** Returns the rows of the table of functions; the last cell of a row is a URL. */
function functionRows(ownership) {
  return Object.entries(ownership.functions).map(([name, {owned, unsettled, ownerless}]) => {
    const [simple, scope, bucket] = name.split('/').reverse();
    const query = new Map([['name', simple], ['bucket', bucket], ['scope', scope]]);
    const parameters = [...query].filter(([, value]) => value !== undefined)
      .map(([parameter, value]) => `${parameter}=${encodeURIComponent(value)}`);
    return [
      name,
      Object.entries(owned).filter(([node]) => node !== NO_OWNER)
        .map(([node, vbuckets]) => `${node} ${described(vbuckets)}`).join('; ') || 'none',
      described(unsettled),
      described(ownerless),
      `getAggOwnedVbsForApp?${parameters.join('&')}`,
    ];
  });
}

function row(cells) {
  const line = document.createElement('tr');
  cells.forEach((cell, i) => {
    const made = document.createElement(i === 0 ? 'th' : 'td');
    if (i === 0) {
      made.scope = 'row';
    }
    made.append(cell);
    line.append(made);
  });
  return line;
}

function link(address) {
  const made = document.createElement('a');
  made.href = address;
  made.textContent = 'by worker';
  return made;
}

function show(id, elements) {
  document.getElementById(id).replaceChildren(...elements);
}

function paragraphs(sentences) {
  return sentences.map((sentence) => {
    const made = document.createElement('p');
    made.textContent = sentence;
    return made;
  });
}

/** Replaces the sentences only if they changed, so that screen readers do not repeat them. */
function announce(sentences) {
  if (document.getElementById('summary').textContent !== sentences.join('')) {
    show('summary', paragraphs(sentences));
  }
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) {
    throw new Error(`${path} answered with status ${answer.status}`);
  }
  return answer.json();
}

/** Returns what is known: metakv-service knows the nodes even if no eventing node is left that knows the owners. */
async function answers(asking) {
  const [topology, tasks, ownership] = await Promise.all([
    asking('api/v1/topology'),
    asking('api/v1/topology/tasks'),
    asking('getOwnershipMap').catch(() => ({functions: {}, silent: true})),
  ]);
  const sentences = summary(topology);
  if (ownership.silent) {
    sentences.push('No eventing node answers, so owners are unknown.');
  }
  return {sentences, nodes: nodeRows(topology, tasks), functions: functionRows(ownership)};
}

async function look() {
  try {
    const {sentences, nodes, functions} = await answers(ask);
    announce(sentences);
    show('nodes', nodes.map(row));
    show('functions', functions.map((cells) => row([...cells.slice(0, -1), link(cells.at(-1))])));
  } catch (failure) {
    announce([`The cluster does not answer: ${failure.message}. Retrying.`]);
  }
  setTimeout(look, PAUSE_MILLIS);
}

if (typeof document !== 'undefined') {
  look();
}
