import { useState } from 'react'
import type { ReportSubject } from '#contracts/moderation.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import type { ReportedWriter } from './report-words.ts'

const ReportDialog = lazyDialog(async () => (await import('./report-dialog.tsx')).ReportDialog)

/** Loads the dialog's code when it first opens. After the report, the dialog offers to block `writer`, the content's author. */
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
