import { lazy, Suspense } from 'react'
import './hero-scene.css'

const DrawnScene = lazy(async () => ({ default: (await import('./hero-scene.tsx')).HeroScene }))

/** The prerendered scene, read from the DOM so that visitors don't download the code that draws it. */
const sent = typeof document.querySelector === 'function' ? document.querySelector('.hero-scene')?.outerHTML : undefined

/** Hero picture. Decorative, so it may load later after client-side navigation. */
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
