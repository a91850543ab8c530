/** What the program uses of Node. */
declare const process: {argv: string[]};
