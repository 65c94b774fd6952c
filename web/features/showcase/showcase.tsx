import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { Composition } from './composition.tsx'
import { Controls } from './controls.tsx'
import { Forms } from './forms.tsx'
import { Foundations } from './foundations.tsx'
import { Overlays } from './overlays.tsx'
import { States } from './states.tsx'

const parts = [
  { id: 'together', title: 'Together', Part: Composition },
  { id: 'foundations', title: 'Foundations', Part: Foundations },
  { id: 'controls', title: 'Controls', Part: Controls },
  { id: 'forms', title: 'Forms', Part: Forms },
  { id: 'overlays', title: 'Overlays', Part: Overlays },
  { id: 'states', title: 'States', Part: States },
]

/** Every primitive in every state, light beside dark. Served outside production only. */
export function Showcase() {
  return (
    <div className="mx-auto grid max-w-[90rem] gap-12 px-4 py-8 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-3xl">Design system</h1>
          <p className="mt-1 text-muted">The parts every screen is made of. Samples only; no place or person here is real.</p>
        </div>
        <ThemeSwitch />
      </header>
      <nav aria-label="Parts" className="-mt-6 flex flex-wrap gap-x-5">
        {parts.map(({ id, title }) => (
          <a
            key={id}
            href={`#${id}`}
            className="inline-flex min-h-11 items-center font-medium text-leaf underline-offset-3 hover:underline"
          >
            {title}
          </a>
        ))}
      </nav>
      {parts.map(({ id, title, Part }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="grid gap-8">
          <h2 id={`${id}-title`} className="text-2xl">
            {title}
          </h2>
          <Part />
        </section>
      ))}
    </div>
  )
}
