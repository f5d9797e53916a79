/** An email address, which goes on in the next line behind its @ where it does not fit, rather than in the middle of a word. */
export function Address({ of }: { of: string }) {
  const at = of.lastIndexOf('@') + 1
  return (
    <>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </>
  )
}
