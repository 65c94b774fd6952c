import type { AuditRow } from '#contracts/admin-audit.endpoints.ts'

/** Actions by code, phrased after the actor's name: "Ann approved a claim". Unlisted codes are spelled out. */
const actions: Record<string, string> = {
  'account.deleted': 'deleted an account at its owner’s request',
  'account.deletion_asked': 'requested the deletion of their account',
  'account.deletion_canceled': 'canceled the deletion of their account',
  'agreement.assigned': 'moved a plan to a business',
  'agreement.began': 'started a plan',
  'appeal.overturned': 'overturned a decision after an appeal',
  'appeal.upheld': 'upheld a decision after an appeal',
  'business.edited': 'edited a business',
  'business.renamed': 'corrected the name of a business',
  'case.given_back': 'released a case',
  'case.taken': 'claimed a case',
  'claim.approved': 'approved a claim',
  'claim.closed': 'closed a claim',
  'claim.opened': 'opened a claim',
  'claim.rejected': 'rejected a claim',
  'community.handed_over': 'transferred a community',
  'community.unverified': 'removed a community’s Verified badge',
  'community.verified': 'verified a community',
  'email.change_cancelled': 'canceled an email address change',
  'email.change_requested': 'requested an email address change',
  'email.change_undone': 'restored their old email address',
  'email.changed': 'changed their email address',
  'hunt.proven': 'recorded a proof of a hunt',
  'job.retried': 'retried failed jobs',
  'license.approved': 'approved a license request',
  'license.expired': 'ended an expired license',
  'license.documented': 'added a document to a license request',
  'license.proven': 'recorded the proof of a license',
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
  'passkey.added': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'passkey.renamed': 'renamed a passkey',
  'passkey.shown': 'confirmed with a passkey',
  'password.changed': 'changed their password',
  'password.reset': 'reset their password with an emailed link',
  'payment.changed': 'changed a payment',
  'payment.recorded': 'recorded a payment',
  'payment.refunded': 'recorded a refund',
  'person.looked_at': 'viewed an account',
  'person.signed_out': 'signed someone out everywhere',
  'post.pinned': 'pinned a post',
  'post.unpinned': 'unpinned a post',
  'role.changed': 'changed a role',
  'second_factor.codes_renewed': 'created new recovery codes',
  'second_factor.locked': 'entered five wrong codes',
  'second_factor.recovery_used': 'used a recovery code',
  'second_factor.replaced': 'switched to another authenticator app',
  'second_factor.reset': 'removed an account’s second factor',
  'second_factor.shown': 'confirmed with a second factor',
  'second_factor.turned_off': 'turned the second factor off',
  'second_factor.turned_on': 'turned the second factor on',
  'session.ended': 'signed a device out',
  'session.others_ended': 'signed all their other devices out',
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

/** "Ann approved a claim". A null actor is the software. */
export function sentenceOf({ actor, action }: Pick<AuditRow, 'actor' | 'action'>): string {
  const who = actor === null ? 'The system' : (actor.name ?? 'A deleted account')
  return `${who} ${actionText(action)}`
}

export function actionText(action: string): string {
  const [subject = '', verb = ''] = action.split('.')
  return actions[action] ?? `did “${words(verb)}” to a ${words(subject)}`
}

/** `license_verification` → "License verification" */
export function nameOf(name: string): string {
  if (name === 'user') return 'Account'
  // A key of the details, such as `isDispute` or `before`.
  const spaced = words(name)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

export const wordOf = (value: AuditRow['details'][string]): string =>
  value === null ? 'none' : value === true ? 'yes' : value === false ? 'no' : String(value)
