// Replaces the types in TypeScript by spaces, so that every position of the JavaScript is that of the TypeScript. Takes the
// modules of the parser by name and returns the function that strips a text; that returns [text] or [message, offset].
(function (modules) {
  'use strict';

  const loaded = {};

  function load(name) {
    if (!(name in loaded)) {
      loaded[name] = {};
      modules[name](loaded[name], (wanted) => load(resolve(name.split('/').slice(0, -1), wanted)));
    }
    return loaded[name];
  }

  function resolve(directory, wanted) {
    const path = [...directory];
    for (const part of wanted.split('/')) {
      if (part === '..') {
        path.pop();
      } else if (part !== '.') {
        path.push(part);
      }
    }
    const name = path.join('/');
    return name in modules ? name : name + '/index';
  }

  const {parse} = load('index');
  const {TokenType: T} = load('tokenizer/types');
  const {ContextualKeyword: K} = load('tokenizer/keywords');

  const MODIFIERS = new Set([T._abstract, T._override, T._private, T._protected, T._public, T._readonly]);
  // a declaration that is removed ends the statement before it, also where that has no semicolon
  const DECLARATIONS = new Set([K._declare, K._interface, K._type]);
  const OPERATORS = new Set([K._as, K._satisfies]);
  // what continues an expression on the next line in JavaScript, but cannot follow a type
  const CONTINUATIONS = new Set([T.parenL, T.bracketL, T.backQuote]);
  // must have what follows on its own line
  const RESTRICTED = new Set([T._return, T._throw, T._yield]);

  const KEEPS = 'types are removed from TypeScript, nothing else is compiled; ';

  class Refusal {
    constructor(message, offset) {
      this.message = message;
      this.offset = offset;
    }
  }

  function refuse(token, what, instead) {
    throw new Refusal(`${what} is not supported: ${KEEPS}${instead}`, token.start);
  }

  function check(token, before) {
    if (token.type === T._enum && !token.isType) {
      refuse(token, 'enum', 'use an object of constants');
    }
    if (token.type === T._declare && !token.isType) {
      refuse(token, 'declare in a class', 'leave the field out');
    }
    const modifier = MODIFIERS.has(token.type) && !token.isType;
    if (modifier && (before?.type === T.parenL || before?.type === T.comma)) {
      refuse(token, 'A modifier of a parameter', 'declare the field and assign it');
    }
    const namespace = token.contextualKeyword === K._namespace || token.contextualKeyword === K._module;
    if (namespace && token.isType && !before?.isType) {
      refuse(token, 'namespace', 'use an object or functions');
    }
    return token.isType || modifier || token.type === T.nonNullAssertion;
  }

  function strip(text) {
    const tokens = parse(text, false, true, false).tokens;
    const parts = [];
    let copied = 0;
    for (let i = 0; i < tokens.length; i++) {
      if (!check(tokens[i], tokens[i - 1])) {
        continue;
      }
      const first = i;
      while (i + 1 < tokens.length && check(tokens[i + 1], tokens[i])) {
        i++;
      }
      const run = {first: tokens[first], before: tokens[first - 1], last: tokens[i], after: tokens[i + 1]};
      const edit = blank(text, run);
      parts.push(text.slice(copied, edit.start), edit.text);
      copied = edit.start + edit.text.length;
    }
    parts.push(text.slice(copied));
    return parts.join('');
  }

  function blank(text, {first, before, last, after}) {
    const spaces = spaced(text.slice(first.start, last.end));
    const lines = (from, to) => /[\n\r\u2028\u2029]/.test(text.slice(from, to));
    if (after?.type === T.arrow && before?.type === T.parenR && lines(before.start, after.start)) {
      // an arrow must be on the line of the parenthesis
      const gap = spaced(text.slice(before.start, last.end));
      return {start: before.start, text: gap.slice(0, -1) + ')'};
    }
    const restricted = before && (RESTRICTED.has(before.type) || before.contextualKeyword === K._async);
    if (restricted && lines(before.end, after?.start) && !lines(before.end, first.start)) {
      refuse(first, 'A line break after these types', 'put what follows on the same line');
    }
    const declares = DECLARATIONS.has(first.contextualKeyword) || first.type === T._function;
    const ends = OPERATORS.has(first.contextualKeyword)
      && CONTINUATIONS.has(after?.type) && lines(last.end, after.start);
    return {start: first.start, text: (declares && statement(before)) || ends ? ';' + spaces.slice(1) : spaces};
  }

  // a type of that name elsewhere, such as in {type?: string}, is not a declaration
  function statement(before) {
    return !before || ![T.dot, T.colon, T.comma, T.parenL, T.eq].includes(before.type);
  }

  function spaced(text) {
    return text.replace(/[^\n\r\u2028\u2029]/g, ' ');
  }

  return (text) => {
    try {
      return [strip(text)];
    } catch (failure) {
      if (failure instanceof Refusal) {
        return [failure.message, failure.offset];
      }
      if (failure instanceof SyntaxError && failure.pos !== undefined) {
        return [`SyntaxError: ${failure.message.replace(/ \(\d+:\d+\)$/, '')}`, failure.pos];
      }
      throw failure;
    }
  };
})
