import { type ReactNode, useId } from 'react'
import { Card, CardBody } from './card.tsx'

type SettingsSectionProps = {
  /** Anchor of the section: `/settings#data`. */
  id: string
  title: string
  description?: ReactNode
  children: ReactNode
}

/** Use `h3` for subheadings. */
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

type SettingsTopicProps = {
  title: string
  state?: ReactNode
  hint?: ReactNode
  /** On the right, or below on narrow screens. */
  action?: ReactNode
  children?: ReactNode
}

export function SettingsTopic({ title, state, hint, action, children }: SettingsTopicProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="py-5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={id} className="font-medium font-text text-base tracking-normal">
              {title}
            </h3>
            {state}
          </div>
          {hint && <div className="max-w-text text-muted text-sm wrap-anywhere">{hint}</div>}
        </div>
        {action}
      </div>
      {children && <div className="mt-4 empty:hidden">{children}</div>}
    </section>
  )
}

export const SettingsRows = ({ children }: { children: ReactNode }) => <ul className="grid divide-y divide-line">{children}</ul>

type SettingsRowProps = {
  title: string
  hint?: ReactNode
  /** On the right, or below on narrow screens. */
  children: ReactNode
}

export function SettingsRow({ title, hint, children }: SettingsRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{title}</p>
        {hint && <p className="text-muted text-sm wrap-anywhere">{hint}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </li>
  )
}

export const SwitchRow = ({ children }: { children: ReactNode }) => <li className="py-4 first:pt-0 last:pb-0">{children}</li>
