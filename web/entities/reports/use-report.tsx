import { useState } from 'react'
import type { ReportSubject } from '#contracts/moderation.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import type { ReportedWriter } from './report-words.ts'

const ReportDialog = lazyDialog(async () => (await import('./report-dialog.tsx')).ReportDialog)

/** The dialog's code loads when it first opens. It offers to block `writer`, the content's author, after the report. */
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
