import { useState } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { ProfileForm } from './profile-form.tsx'

export function ProfilePart({ user }: { user: CurrentUser }) {
  // With another number the form begins anew, with what the server answered: the page may hear of that a moment later.
  const [{ round, start }, begin] = useState({ round: 0, start: user })
  return (
    <SettingsSection id="profile" title="Profile Information" description="Who you are here. Your posts and reviews carry your name.">
      <ProfileForm
        key={round}
        user={user}
        start={start}
        wasSaved={round > 0}
        onSaved={(saved) => begin({ round: round + 1, start: saved })}
      />
    </SettingsSection>
  )
}
