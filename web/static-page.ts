/** Adds what HTML can't do. Static pages (static-pages.tsx) also work without this script. */
import type { VisitKind } from '#contracts/insights.endpoints.ts'
import './screens/landing/landing-screen.css'
import './screens/landing/scene/fanlight.css'
import './screens/landing/scene/hero-scene.css'
import './screens/public-pages/public-page.css'
import { connectAgeGate } from './screens/onboarding/age-gate-form.ts'
import './styles.css'
import { connectSearchForm } from './ui/search-form.ts'
import { connectThemeSwitch } from './ui/theme.ts'

for (const form of document.querySelectorAll<HTMLFormElement>('[data-age-gate]')) connectAgeGate(form)
for (const form of document.querySelectorAll<HTMLFormElement>('[data-search-form]')) connectSearchForm(form)
for (const fieldset of document.querySelectorAll<HTMLElement>('[data-theme-switch]')) connectThemeSwitch(fieldset)
for (const element of document.querySelectorAll<HTMLElement>('[data-visited]')) connectVisits(element)

/**
 * Counts visits to the page of the business that `data-visited` names, and presses on links with `data-visit`. Doesn't use the queue of
 * web/lib/count-visit.ts, because these pages send one request when opened.
 */
function connectVisits(element: HTMLElement): void {
  const from = new URLSearchParams(location.search).get('from')
  const source = from === 'share' || from === 'embed' ? from : 'other'
  const send = (kind: string) =>
    void fetch(`/api/businesses/${element.dataset.visited}/visits`, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ source, visits: [{ kind }] }),
    }).catch(() => undefined)
  send('page' satisfies VisitKind)
  element.addEventListener('click', ({ target }) => {
    const kind = target instanceof Element && target.closest<HTMLElement>('[data-visit]')?.dataset.visit
    if (kind) send(kind)
  })
}
