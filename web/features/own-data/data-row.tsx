import { type ReactNode, useId } from 'react'

type DataRowProps = { title: string; hint: ReactNode; action?: ReactNode; children?: ReactNode }

/** What can be done with one's data: its button at the right, below on a narrow screen. */
export function DataRow({ title, hint, action, children }: DataRowProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="py-5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 id={id} className="font-semibold font-text text-base tracking-normal">
            {title}
          </h3>
          <p className="max-w-text text-muted text-sm">{hint}</p>
        </div>
        {action}
      </div>
      {children && <div className="mt-4 empty:hidden">{children}</div>}
    </section>
  )
}
