import { explainedActions, type ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { useNow } from '../../ui/ago.tsx'
import { Notice } from '../standing/notice.tsx'
import { type DecisionDraft, decisionOf } from './decision-draft.ts'

type NoticePreviewProps = { item: ModerationCaseDetail; draft: DecisionDraft; isOfCommunity: boolean }

const dayMs = 86_400_000

/** What the person will read, as it will stand in their own standing. */
export function NoticePreview({ item, draft, isOfCommunity }: NoticePreviewProps) {
  const now = useNow()
  const told = decisionOf(draft, isOfCommunity).actions.filter(({ action }) => explainedActions.includes(action))
  return (
    <section aria-label="Preview of the notice" className="grid gap-4 rounded-input border border-edge/60 border-dashed p-4">
      <p className="text-muted text-sm">{item.person ? `What ${item.person.name} will read` : 'What the person will read'}</p>
      {told.map(({ action, ...given }) => (
        <Notice
          key={action}
          level={4}
          stands
          deed={{
            action,
            subject: item.subject,
            endsAt: 'days' in given && given.days ? new Date(now + given.days * dayMs).toISOString() : null,
            community: isOfCommunity ? item.community : null,
          }}
          reason={draft.reason}
          explanation={draft.explanation}
          title={item.title}
        />
      ))}
      <p className="text-muted text-sm">They can appeal once; somebody else than you decides.</p>
    </section>
  )
}
