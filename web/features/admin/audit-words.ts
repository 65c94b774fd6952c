import type { AuditRow } from '../../../contracts/admin-audit.ts'

/** What was done, after the name of whoever did it: "Ann approved a claim". What is not here is said by its own words. */
const deeds: Record<string, string> = {
  'account.deleted': 'deleted an account that its owner gave up',
  'account.deletion_asked': 'asked for their account to be deleted',
  'account.deletion_canceled': 'kept their account after all',
  'agreement.assigned': 'moved a plan to a business',
  'agreement.began': 'began a plan',
  'appeal.overturned': 'overturned a decision after an appeal',
  'appeal.upheld': 'upheld a decision after an appeal',
  'business.edited': 'edited a business',
  'business.renamed': 'corrected the name of a business',
  'case.given_back': 'gave a case back',
  'case.taken': 'took a case',
  'claim.approved': 'approved a claim',
  'claim.closed': 'closed a claim',
  'claim.opened': 'opened a claim',
  'claim.rejected': 'rejected a claim',
  'community.handed_over': 'handed a community over',
  'community.unverified': 'took the Verified badge of a community',
  'community.verified': 'verified a community',
  'email.change_cancelled': 'gave up a change of their email address',
  'email.change_requested': 'asked to change their email address',
  'email.change_undone': 'took their old email address back',
  'email.changed': 'changed their email address',
  'hunt.proven': 'had a hunt’s results confirmed',
  'job.retried': 'had failed jobs tried again',
  'license.approved': 'approved a license request',
  'license.expired': 'ended a license that expired',
  'license.documented': 'added the document to a license request',
  'license.proven': 'recorded the proof of a license',
  'license.rejected': 'rejected a license request',
  'license.requested': 'asked for a license to be verified',
  'license.revoked': 'took a license badge away',
  'license.superseded': 'replaced a license by another',
  'license.unproven': 'ended a license that nothing proved',
  'license.verified': 'verified a license',
  'license.warned': 'warned of a license about to expire',
  'license.withdrawn': 'withdrew a license request',
  'message.looked_at': 'looked at a reported message',
  'moderation.approve': 'approved what was held or reported',
  'moderation.ban': 'banned somebody',
  'moderation.dismiss': 'dismissed a report',
  'moderation.hide': 'hid something',
  'moderation.mute': 'muted somebody',
  'moderation.remove': 'removed something',
  'moderation.suspend': 'suspended somebody',
  'moderation.undone': 'undid a decision',
  'moderation.warn': 'warned somebody',
  'offer.saved': 'saved the price of subscribing',
  'openid.connected': 'connected an account of another site',
  'openid.disconnected': 'disconnected an account of another site',
  'own_data.export_asked': 'asked for their data',
  'passkey.added': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'passkey.renamed': 'renamed a passkey',
  'passkey.shown': 'showed a passkey',
  'password.changed': 'changed their password',
  'password.reset': 'set a new password by a mailed link',
  'payment.changed': 'changed a payment',
  'payment.recorded': 'recorded a payment',
  'payment.refunded': 'noted a refund',
  'person.looked_at': 'looked at an account',
  'person.signed_out': 'signed somebody out everywhere',
  'post.pinned': 'pinned a post',
  'post.unpinned': 'took a pinned post down',
  'role.changed': 'changed a role',
  'second_factor.codes_renewed': 'made new recovery codes',
  'second_factor.locked': 'entered five wrong codes',
  'second_factor.recovery_used': 'used a recovery code',
  'second_factor.replaced': 'changed to another authenticator app',
  'second_factor.reset': 'took a second factor off an account',
  'second_factor.shown': 'showed the second factor',
  'second_factor.turned_off': 'turned the second factor off',
  'second_factor.turned_on': 'turned the second factor on',
  'session.ended': 'signed a device out',
  'session.others_ended': 'signed all their other devices out',
  'team.invitation_resent': 'sent an invitation to a team again',
  'team.invitation_revoked': 'took an invitation to a team back',
  'team.invited': 'invited somebody to a team',
  'team.joined': 'joined a team',
  'team.left': 'left a team',
  'team.removed': 'removed somebody from a team',
  'team.role_changed': 'changed a role in a team',
  'team.transferred': 'handed a business over',
}

/** `second_factor` → "second factor" */
const words = (name: string) => name.replaceAll('_', ' ').replaceAll('-', ' ')

/** "Ann approved a claim". Nobody's deed is the software's. */
export function sentenceOf({ actor, action }: Pick<AuditRow, 'actor' | 'action'>): string {
  const who = actor === null ? 'The software' : (actor.name ?? 'Somebody whose account is gone')
  return `${who} ${deedOf(action)}`
}

export function deedOf(action: string): string {
  const [subject = '', deed = ''] = action.split('.')
  return deeds[action] ?? `did “${words(deed)}” with a ${words(subject)}`
}

/** `license_verification` → "License verification" */
export function nameOf(name: string): string {
  if (name === 'user') return 'Account'
  // A key of the details: `isDispute`, `before`.
  const spaced = words(name)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

export const wordOf = (value: AuditRow['details'][string]): string =>
  value === null ? 'none' : value === true ? 'yes' : value === false ? 'no' : String(value)
