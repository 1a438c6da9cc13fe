import { type Input, NodeType, type ParseWrapper, type PartialParse, Tree } from '@lezer/common';

/** Leaves a text plain that is nested too deeply for its parser, which would fail where the text is shown. */
export const careful: ParseWrapper = (parse, input) => new CarefulParse(parse, input);

class CarefulParse implements PartialParse {
  readonly #parse: PartialParse;
  readonly #input: Input;

  constructor(parse: PartialParse, input: Input) {
    this.#parse = parse;
    this.#input = input;
  }

  advance(): Tree | null {
    try {
      return this.#parse.advance();
    } catch (thrown) {
      // The stack is used up.
      if (thrown instanceof RangeError) return new Tree(NodeType.none, [], [], this.#input.length);
      throw thrown;
    }
  }

  get parsedPos(): number {
    return this.#parse.parsedPos;
  }

  get stoppedAt(): number | null {
    return this.#parse.stoppedAt;
  }

  stopAt(pos: number): void {
    this.#parse.stopAt(pos);
  }
}
