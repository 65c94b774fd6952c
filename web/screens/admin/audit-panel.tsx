import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { isUuid } from '#contracts/addresses.ts'
import type { AuditRow } from '#contracts/admin.endpoints.ts'
import { decisionReasons } from '#contracts/moderation.rules.ts'
import { actionReasonTitle } from '#web/entities/account-status/account-status-words.ts'
import { capital, localDateFormat } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { quietLink } from '#web/ui/link-styles.ts'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { auditActionsOptions, auditOptions } from './admin.api.ts'
import type { AdminSearch, PanelProps } from './admin-search.ts'

/** The log is append-only; `npm run audit:verify` detects tampering. */
export function AuditPanel({ search, onSearch }: PanelProps) {
  const list = useInfiniteQuery(auditOptions(queryOf(search)))
  const { action, subject, actor, business, from, to } = search
  const filters = { action, subject, actor, business, from, to }
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const filterBy = (part: Partial<AdminSearch>) => onSearch({ ...filters, ...part })
  return (
    <div className="grid gap-5">
      <Filters filters={filters} onChange={filterBy} />
      {isFiltered && (
        <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => onSearch({})}>
          <X aria-hidden="true" />
          Clear filters
        </Button>
      )}
      <PagedList
        list={list}
        loadingLabel="Loading the audit log..."
        skeleton={<SkeletonRow />}
        failure="The audit log couldn’t be loaded"
        cards="whole"
        empty={
          <ListNote title={isFiltered ? 'No matching entries' : 'No entries yet'}>
            {isFiltered ? 'Remove a filter or choose other dates.' : 'Decisions, role changes, payments and account views appear here.'}
          </ListNote>
        }
      >
        {(rows) => (
          <Card asChild>
            <ol>
              {rows.map((row) => (
                <Row key={row.sequence} row={row} onFilter={onSearch} />
              ))}
            </ol>
          </Card>
        )}
      </PagedList>
    </div>
  )
}

const queryOf = ({ action, subject, actor, business, from, to }: AdminSearch) => ({
  ...(action && { action }),
  ...(subject && { subject }),
  ...(actor && { actor }),
  ...(business && { business }),
  ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
  ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
})

type FiltersProps = { filters: AdminSearch; onChange: (part: Partial<AdminSearch>) => void }

function Filters({ filters, onChange }: FiltersProps) {
  const { data: actions = [] } = useQuery(auditActionsOptions)
  const subjects = [...new Set(actions.map((action) => action.split('.')[0] as string))]
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Field label="What">
        <Select value={filters.action ?? ''} onChange={(event) => onChange({ action: event.target.value || undefined })}>
          <option value="">Everything</option>
          {subjects.map((subject) => (
            <optgroup key={subject} label={groupOf(subject)}>
              <option value={subject}>Everything about {groupOf(subject).toLowerCase()}</option>
              {actions
                .filter((action) => action.startsWith(`${subject}.`))
                .map((action) => (
                  <option key={action} value={action}>
                    {capital(actionText(action))}
                  </option>
                ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <Field label="From">
        <Input type="date" value={filters.from ?? ''} onChange={(event) => onChange({ from: event.target.value || undefined })} />
      </Field>
      <Field label="To">
        <Input type="date" value={filters.to ?? ''} onChange={(event) => onChange({ to: event.target.value || undefined })} />
      </Field>
      <details
        className="sm:col-span-full"
        open={filters.actor !== undefined || filters.subject !== undefined || filters.business !== undefined}
      >
        <summary className={`${quietLink} w-fit cursor-pointer text-sm`}>Filter by ID</summary>
        <div className="mt-3 grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          <IdField key={`actor ${filters.actor}`} label="Done by (ID)" value={filters.actor} onChange={(actor) => onChange({ actor })} />
          <IdField
            key={`subject ${filters.subject}`}
            label="About (ID)"
            value={filters.subject}
            onChange={(subject) => onChange({ subject })}
          />
          <IdField
            key={`business ${filters.business}`}
            label="Business (ID)"
            value={filters.business}
            onChange={(business) => onChange({ business })}
          />
        </div>
      </details>
    </div>
  )
}

function IdField({
  label,
  value = '',
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const [text, setText] = useState(value)
  const [isWrong, setWrong] = useState(false)
  const take = (typed: string) => {
    setText(typed)
    setWrong(false)
    const id = typed.trim().toLowerCase()
    if (isUuid(id)) onChange(id)
    else if (id === '' && value !== '') onChange(undefined)
  }
  return (
    <Field label={label} error={isWrong && 'Paste the full ID'}>
      <Input
        value={text}
        spellCheck={false}
        autoComplete="off"
        maxLength={40}
        className="font-mono text-sm"
        onChange={(event) => take(event.target.value)}
        onBlur={() => setWrong(text.trim() !== '' && !isUuid(text.trim().toLowerCase()))}
      />
    </Field>
  )
}

const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'medium' })

function Row({ row, onFilter }: { row: AuditRow; onFilter: (part: Partial<AdminSearch>) => void }) {
  // The sentence already names the person that an action's ID leads to.
  const details = Object.entries(row.details).filter(([key, value]) => key !== 'actionId' && value !== null && value !== '')
  const about = row.subjectName ?? row.subjectId.slice(-8)
  return (
    <li className="border-line border-t p-4 first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium wrap-anywhere">{sentenceOf(row)}</p>
        <p className="text-muted text-sm tabular-nums">
          <time dateTime={row.at}>{moment.format(new Date(row.at))}</time>
          <span title={row.hash}> · #{row.sequence}</span>
        </p>
      </div>
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
        <span className="wrap-anywhere">
          {nameOf(row.subjectType)}: {about}
        </span>
        {row.business && row.subjectType !== 'business' && <span className="wrap-anywhere">Business: {row.business.name}</span>}
        {row.person && <span className="wrap-anywhere">Person: {row.person.name}</span>}
        {details.map(([key, value]) => (
          <span key={key} className="wrap-anywhere">
            {detailNames[key] ?? nameOf(key)}: {wordOf(value)}
          </span>
        ))}
      </p>
      <p className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 pointer-coarse:mt-0 pointer-coarse:gap-y-0">
        {row.actor && (
          <Narrow onClick={() => onFilter({ actor: row.actor?.id })} of={row}>
            All their actions
          </Narrow>
        )}
        <Narrow onClick={() => onFilter({ subject: row.subjectId })} of={row}>
          All entries about this
        </Narrow>
        <Narrow onClick={() => onFilter({ action: row.action })} of={row}>
          All of this type
        </Narrow>
      </p>
    </li>
  )
}

const Narrow = ({ onClick, of, children }: { onClick: () => void; of: AuditRow; children: string }) => (
  <button
    type="button"
    className={`${quietLink} text-sm pointer-coarse:min-h-11`}
    onClick={onClick}
    aria-label={`${children}: entry ${of.sequence}`}
  >
    {children}
  </button>
)

/** Words that follow the actor's name, as in "Ann approved a claim". Other codes are turned into words. */
const actions: Record<string, string> = {
  'account.deleted': 'deleted an account at its owner’s request',
  'account.deletion_asked': 'requested account deletion',
  'account.deletion_canceled': 'canceled their account deletion',
  'agreement.assigned': 'moved a plan to a business',
  'agreement.began': 'started a plan',
  'appeal.overturned': 'overturned a decision after an appeal',
  'appeal.upheld': 'upheld a decision after an appeal',
  'business.closed': 'closed a business',
  'business.edited': 'edited a business',
  'business.merged': 'merged two businesses',
  'business.move_canceled': 'canceled a planned move',
  'business.move_planned': 'planned a business’s move',
  'business.move_refused': 'refused a planned move because of a license',
  'business.moved': 'moved a business as planned',
  'business.reopened': 'reopened a business',
  'business.renamed': 'corrected a business’s name',
  'case.given_back': 'released a case',
  'case.taken': 'claimed a case',
  'claim.approved': 'approved a claim',
  'claim.closed': 'closed a claim',
  'claim.opened': 'opened a claim',
  'claim.rejected': 'rejected a claim',
  'community.handed_over': 'transferred a community',
  'community.unverified': 'removed a community’s Verified badge',
  'community.verified': 'verified a community',
  'correction.applied': 'made a suggested change to a listing',
  'correction.rejected': 'rejected a suggested change',
  'correction.suggested': 'suggested a change to a listing',
  'correction.undone': 'undid a suggested change',
  'correction.withdrawn': 'withdrew a suggested change',
  'email.change_cancelled': 'canceled an email address change',
  'email.change_requested': 'requested an email address change',
  'email.change_undone': 'restored their old email address',
  'email.changed': 'changed their email address',
  'group.hours_set': 'copied hours to a shop in a group',
  'group.joined': 'added a shop to a group',
  'group.left': 'removed a shop from a group',
  'group.renamed': 'renamed a group',
  'group.role_removed': 'removed someone’s role in a group',
  'group.role_set': 'gave someone a role in a group',
  'hunt.proven': 'recorded proof of a hunt',
  'job.retried': 'retried failed jobs',
  'license.approved': 'approved a license request',
  'license.expired': 'marked a license as expired',
  'license.documented': 'added a document to a license request',
  'license.proven': 'recorded proof of a license',
  'license.rejected': 'rejected a license request',
  'license.requested': 'requested a license verification',
  'license.revoked': 'removed a license badge',
  'license.superseded': 'replaced one license with another',
  'license.unproven': 'ended an unproven license',
  'license.verified': 'verified a license',
  'license.warned': 'sent a warning about an expiring license',
  'license.withdrawn': 'withdrew a license request',
  'message.looked_at': 'viewed a reported message',
  'moderation.approve': 'approved held or reported content',
  'moderation.ban': 'banned someone',
  'moderation.dismiss': 'dismissed a report',
  'moderation.hide': 'hid content',
  'moderation.mute': 'muted someone',
  'moderation.remove': 'removed content',
  'moderation.suspend': 'suspended someone',
  'moderation.undone': 'reversed a decision',
  'moderation.warn': 'warned someone',
  'offer.saved': 'saved subscription prices and benefits',
  'openid.connected': 'connected an account from another site',
  'openid.disconnected': 'disconnected an account from another site',
  'own_data.export_asked': 'requested a copy of their data',
  'key.created': 'created an API key',
  'key.revoked': 'revoked an API key',
  'menu_source.deleted': 'stopped fetching a menu',
  'menu_source.saved': 'set up a menu address',
  'webhook.created': 'created a webhook',
  'webhook.deleted': 'deleted a webhook',
  'webhook.resumed': 'resumed a webhook',
  'webhook.secret_replaced': 'replaced a webhook’s secret',
  'webhook.stopped': 'stopped a webhook',
  'passkey.added': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'passkey.renamed': 'renamed a passkey',
  'passkey.shown': 'confirmed their identity with a passkey',
  'password.changed': 'changed their password',
  'password.reset': 'reset their password with an emailed link',
  'payment.changed': 'changed a payment',
  'payment_account.connected': 'set up how a business is paid',
  'payment_account.disconnected': 'stopped new payments to an account of a business',
  'payment.recorded': 'recorded a payment',
  'payment.refunded': 'recorded a refund',
  'person.looked_at': 'viewed an account',
  'person.signed_out': 'signed someone out everywhere',
  'person_key.created': 'created an API key for their hunts',
  'person_key.revoked': 'revoked an API key for their hunts',
  'post.sent': 'posted with an API key',
  'post.pinned': 'pinned a post',
  'post.unpinned': 'unpinned a post',
  'role.changed': 'changed a role',
  'second_factor.codes_renewed': 'created new recovery codes',
  'second_factor.locked': 'entered five wrong codes',
  'second_factor.recovery_used': 'used a recovery code',
  'second_factor.replaced': 'switched to another authenticator app',
  'second_factor.reset': 'removed an account’s second factor',
  'second_factor.shown': 'confirmed their identity with a second factor',
  'second_factor.turned_off': 'turned off their second factor',
  'second_factor.turned_on': 'turned on their second factor',
  'session.ended': 'signed out a device',
  'session.others_ended': 'signed out all their other devices',
  'team.invitation_resent': 'resent a team invitation',
  'team.invitation_revoked': 'canceled a team invitation',
  'team.invited': 'invited someone to a team',
  'team.joined': 'joined a team',
  'team.left': 'left a team',
  'team.removed': 'removed someone from a team',
  'team.role_changed': 'changed a team role',
  'team.transferred': 'transferred a business',
}

/** `second_factor` → "second factor" */
const words = (name: string) => name.replaceAll('_', ' ').replaceAll('-', ' ')

/** "Ann approved a claim". If the actor is null, the software acted. */
export function sentenceOf({ actor, action, person }: Pick<AuditRow, 'actor' | 'action' | 'person'>): string {
  const who = actor === null ? 'The system' : (actor.name ?? 'A deleted account')
  const text = actionText(action)
  return `${who} ${person ? text.replace('someone', person.name) : text}`
}

export function actionText(action: string): string {
  const [subject = '', verb = ''] = action.split('.')
  return actions[action] ?? `did “${words(verb)}” to a ${words(subject)}`
}

/** Names for subjects that their codes don't describe well. */
const groups: Record<string, string> = {
  account: 'Account deletion',
  agreement: 'Plans',
  key: 'API keys',
  menu_source: 'Menu addresses',
  offer: 'Subscription offers',
  openid: 'Accounts from other sites',
  own_data: 'Copies of data',
  person: 'Accounts',
  person_key: 'API keys for hunts',
  correction: 'Suggested changes',
}
const groupOf = (subject: string): string => groups[subject] ?? nameOf(subject)

const detailNames: Record<string, string> = {
  action: 'Decision',
  as: 'Decided by',
  because: 'Reason',
  caseId: 'Case',
  communityId: 'Community',
  isDispute: 'Dispute',
  ownerBefore: 'Previous owner',
}

/** `license_verification` → "License verification" */
export function nameOf(name: string): string {
  if (name === 'user') return 'Account'
  // Keys of the details are in camel case, such as `isDispute`.
  const spaced = words(name)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return capital(spaced)
}

/** `illegal_sale` → "Illegal sale", `no_register_entry` → "no register entry". An ID is shortened, as it is for subjects. */
export function wordOf(value: AuditRow['details'][string]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  if (isUuid(text)) return text.slice(-8)
  const reason = [...decisionReasons, 'no_violation' as const].find((each) => each === text)
  return reason ? actionReasonTitle(reason) : /^[a-z]+(_[a-z]+)+$/.test(text) ? words(text) : text
}
