import { useEffect, useRef, useState } from 'react'
import { CheckField } from './field.tsx'

interface Props {
  html: string
  /** What it shows, for screen readers. */
  title: string
  /** The width of a screen to show it for; default: as wide as there is room. */
  width?: number
  /** As a light or a dark mail program shows it; default: as the system says. */
  scheme?: 'light' | 'dark' | undefined
}

/**
 * The HTML of an email, in a frame with an origin of its own: its scripts do not run, and it reaches nothing of the dashboard. Its
 * pictures are loaded only when asked for, because loading them tells their servers that somebody looks.
 */
export function EmailFrame({ html, title, width, scheme }: Props) {
  const [images, setImages] = useState(false)
  return (
    <div className="email-frame">
      <CheckField label="Load pictures from other sites" checked={images} onChange={(event) => setImages(event.target.checked)} />
      <Frame key={String(images)} html={html} title={title} images={images} width={width} scheme={scheme} />
    </div>
  )
}

function Frame({ html, title, images, width, scheme }: Props & { images: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(400)
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<{ ready?: boolean; height?: unknown }>) => {
      if (source !== frame.current?.contentWindow) return
      if (data.ready) setIsReady(true)
      if (typeof data.height === 'number') setHeight(Math.min(Math.max(data.height, 120), 20_000))
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
  useEffect(() => {
    // Its origin has no name.
    if (isReady) frame.current?.contentWindow?.postMessage({ html, images, scheme }, '*')
  }, [isReady, html, images, scheme])
  return (
    <iframe
      ref={frame}
      title={title}
      src={`/app/frame.html${images ? '?images=1' : ''}`}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      style={{ height, ...(width !== undefined && { width }) }}
    />
  )
}
