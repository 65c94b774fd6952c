import type { ReactNode } from 'react'
import { Card, CardBody } from './card.tsx'

type SettingsSectionProps = {
  /** The anchor: `/settings#data` leads here. */
  id: string
  title: string
  description?: ReactNode
  children: ReactNode
}

/** One section of the settings. Headings inside it are `h3`. */
export function SettingsSection({ id, title, description, children }: SettingsSectionProps) {
  const titleId = `${id}-title`
  return (
    <Card asChild className="scroll-mt-14 lg:scroll-mt-2">
      <section id={id} aria-labelledby={titleId}>
        <CardBody className="sm:p-6">
          <h2 id={titleId} tabIndex={-1} className="text-xl">
            {title}
          </h2>
          {description && <p className="mt-1 max-w-text text-muted text-sm">{description}</p>}
          <div className="mt-5">{children}</div>
        </CardBody>
      </section>
    </Card>
  )
}
