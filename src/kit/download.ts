/** A file that an operation answers with, piece by piece; reading it ends when the caller goes away. */
export interface Download<Piece extends string | Uint8Array = string> {
  filename: string
  pieces: AsyncIterable<Piece>
  /** Aborted when the file is cut off before its end, because others wait for its place. Default: never. */
  ended?: AbortSignal
  /** How many bytes the pieces take in memory until the caller has read them; left out where they are made while it reads. */
  bytes?: number
  /** Header fields of the answer that say more about the file. */
  headers?: Record<string, string>
}
