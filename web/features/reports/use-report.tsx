import { lazy, Suspense, useState } from 'react'
import type { ReportSubject } from '../../../contracts/reports.ts'

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }))

/** A report dialog whose code is fetched when it is first opened: for menus that stand in every row of a list. */
export function useReport(subject: ReportSubject, subjectId: string) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const dialog = state !== 'never' && (
    <Suspense>
      <ReportDialog
        subject={subject}
        subjectId={subjectId}
        open={state === 'open'}
        onOpenChange={(open) => setState(open ? 'open' : 'closed')}
      />
    </Suspense>
  )
  return { dialog, open: () => setState('open') }
}
