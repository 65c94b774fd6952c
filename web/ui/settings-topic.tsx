import { type ReactNode, useId } from 'react'

type SettingsTopicProps = {
  title: string
  /** How it stands. */
  state?: ReactNode
  hint?: ReactNode
  /** Its button, at the right; below on a narrow screen. */
  action?: ReactNode
  children?: ReactNode
}

/** One thing of a section that has a heading of its own: how it stands, what can be done about it, and its list. */
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
