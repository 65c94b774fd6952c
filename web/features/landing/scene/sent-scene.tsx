import { lazy, Suspense } from 'react'
import './hero-scene.css'

const DrawnScene = lazy(async () => ({ default: (await import('./hero-scene.tsx')).HeroScene }))

/** The page came with the scene in it. Reading it there spares every visitor the code that draws it. */
const sent = typeof document.querySelector === 'function' ? document.querySelector('.hero-scene')?.outerHTML : undefined

/** The picture behind the headline: decoration, so it may arrive a moment later for those who come from another page. */
export function SentScene() {
  if (!sent) {
    return (
      <div className="contents">
        <Suspense>
          <DrawnScene />
        </Suspense>
      </div>
    )
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, as it stood in our page a moment ago
  return <div className="contents" dangerouslySetInnerHTML={{ __html: sent }} />
}
