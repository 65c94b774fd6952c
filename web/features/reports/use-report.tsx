import { useState } from 'react'
import type { ReportSubject } from '../../../contracts/reports.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import type { ReportedWriter } from './reported-writer.ts'

const ReportDialog = lazyDialog(async () => (await import('./report-dialog.tsx')).ReportDialog)

/**
 * A report dialog whose code is fetched when it is first opened: for menus that stand in every row of a list. `writer` is whose it is: once
 * the report is sent, the dialog offers to block them.
 */
export function useReport(subject: ReportSubject, subjectId: string, writer: ReportedWriter | null = null) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const dialog = state !== 'never' && (
    <ReportDialog
      subject={subject}
      subjectId={subjectId}
      writer={writer}
      open={state === 'open'}
      onOpenChange={(open) => setState(open ? 'open' : 'closed')}
    />
  )
  return { dialog, open: () => setState('open') }
}
