/** JSON as Postgres has it, which becomes a part of an answer, or of an event of a stream, as it is: a large value is neither parsed nor written again. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The value, where an answer is written at once because it is small. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}
