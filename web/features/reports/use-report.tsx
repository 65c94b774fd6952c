import { lazy, Suspense, useState } from 'react'
import type { ReportSubject } from '../../../contracts/reports.ts'
import type { ReportedWriter } from './reported-writer.ts'

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }))

/**
 * A report dialog whose code is fetched when it is first opened: for menus that stand in every row of a list. `writer` is whose it is: once
 * the report is sent, the dialog offers to block them.
 */
export function useReport(subject: ReportSubject, subjectId: string, writer: ReportedWriter | null = null) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const dialog = state !== 'never' && (
    <Suspense>
      <ReportDialog
        subject={subject}
        subjectId={subjectId}
        writer={writer}
        open={state === 'open'}
        onOpenChange={(open) => setState(open ? 'open' : 'closed')}
      />
    </Suspense>
  )
  return { dialog, open: () => setState('open') }
}
