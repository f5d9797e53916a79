/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/** What the reader of a format found: the size of whatever is decoded, the canvas first, and where the picture ends. */
export interface Measured {
  sizes: Size[]
  end: number
}

/** The bytes are not what the first ones promise; the message says what is wrong with "the file". */
export class BrokenPicture extends Error {}
