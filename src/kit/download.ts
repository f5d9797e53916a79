/** A file that an operation answers with, piece by piece; reading it ends when the caller goes away. */
export interface Download {
  filename: string
  pieces: AsyncIterable<string>
}
