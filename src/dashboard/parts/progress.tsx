/** How far something is, 0 to 100 percent; without `percent` it is under way, nobody knows how far. */
export function Progress({ label, percent }: { label: string; percent?: number | undefined }) {
  return <progress className="progress-bar" aria-label={label} max={100} value={percent} />
}
