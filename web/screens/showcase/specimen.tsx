import type { ReactNode } from 'react'

export function Specimen({ title, note, children }: { title: string; note?: string; children: () => ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-3">
      <div>
        <h3 className="text-lg">{title}</h3>
        {note && <p className="max-w-text text-muted text-sm">{note}</p>}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme} data-theme={theme} className="min-w-0 rounded-card border border-line bg-ground p-4 text-ink sm:p-6">
            {children()}
          </div>
        ))}
      </div>
    </section>
  )
}

export function Row({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="not-first:mt-5">
      {label && <p className="mb-2 text-muted text-sm">{label}</p>}
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}
