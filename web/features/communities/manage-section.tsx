import type { Community } from '../../../contracts/communities.ts'
import { DeletePart } from './delete-part.tsx'
import { InvitationsPart } from './invitations-part.tsx'
import { RequestsPart } from './requests-part.tsx'
import { SettingsPart } from './settings-part.tsx'

/** For those who run a community: who asks to be let in, whom they invite, and, for the owner, what it is. */
export function ManageSection({ community }: { community: Community }) {
  return (
    <div className="mx-auto grid max-w-feed gap-10">
      {community.visibility === 'invite_only' && <RequestsPart community={community} />}
      <InvitationsPart community={community} />
      {community.abilities.edit && <SettingsPart community={community} />}
      {community.abilities.delete && <DeletePart community={community} />}
    </div>
  )
}
