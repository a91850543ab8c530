// As much of a client of Redis as the loops need that users would write without Millrace.

import { connect } from 'node:net';
import { once } from 'node:events';

export class Redis {
  #socket;
  #waiting = [];
  #read = Buffer.alloc(0);
  #at = 0;

  static async open(url) {
    const { hostname, port, password, username } = new URL(url);
    const redis = new Redis();
    redis.#socket = connect(Number(port), hostname);
    await once(redis.#socket, 'connect');
    redis.#socket.setNoDelay(true);
    redis.#socket.on('data', (data) => redis.#receive(data));
    redis.#socket.on('error', (failure) => redis.#waiting.splice(0).forEach(({ reject }) => reject(failure)));
    if (password) await redis.send([['AUTH', decodeURIComponent(username) || 'default', decodeURIComponent(password)]]);
    return redis;
  }

  /** Sends commands in one piece and returns their answers. */
  send(commands) {
    let text = '';
    for (const command of commands) {
      text += `*${command.length}\r\n`;
      for (const part of command) text += `$${Buffer.byteLength(part)}\r\n${part}\r\n`;
    }
    const answers = commands.map(() => new Promise((resolve, reject) => this.#waiting.push({ resolve, reject })));
    this.#socket.write(text);
    return Promise.all(answers);
  }

  close() {
    this.#socket.end();
  }

  #receive(data) {
    this.#read = this.#read.length === 0 ? data : Buffer.concat([this.#read, data]);
    this.#at = 0;
    let done = 0;
    for (let answer = this.#answer(); answer !== undefined; answer = this.#answer()) {
      done = this.#at;
      const { resolve, reject } = this.#waiting.shift();
      if (answer instanceof Error) reject(answer);
      else resolve(answer);
    }
    this.#read = this.#read.subarray(done);
  }

  /** Reads one answer, undefined when it is not complete. */
  #answer() {
    const end = this.#read.indexOf('\r\n', this.#at);
    if (end < 0) return undefined;
    const kind = String.fromCharCode(this.#read[this.#at]);
    const line = this.#read.toString('latin1', this.#at + 1, end);
    this.#at = end + 2;
    if (kind === '+' || kind === ':') return line;
    if (kind === '-') return new Error(line);
    const length = Number(line);
    if (length < 0) return null;
    if (kind === '$') {
      if (this.#read.length < this.#at + length + 2) return undefined;
      this.#at += length + 2;
      return this.#read.toString('utf8', this.#at - length - 2, this.#at - 2);
    }
    const list = [];
    for (let i = 0; i < length; i++) {
      const element = this.#answer();
      if (element === undefined) return undefined;
      list.push(element);
    }
    return list;
  }
}
