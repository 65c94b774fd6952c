import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, BellRing, Ellipsis, Settings, ShieldCheck, UserRoundPen } from 'lucide-react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { planWords } from '#web/lib/time-words.ts'
import { activityOptions } from '#web/screens/home/home.api.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import type { ProfileTab } from './people-search.ts'
import { PersonTabs, ProfileHead } from './profile-parts.tsx'

type ProfileScreenProps = { tab: ProfileTab; onTab: (tab: ProfileTab) => void }

/** Requires sign-in; see web/lib/route-access.ts. */
export function ProfileScreen(tabs: ProfileScreenProps) {
  const user = useCurrentUser()
  return <div className="mx-auto grid max-w-feed gap-8 px-4 pt-6 pb-16 sm:px-6">{user && <Own user={user} {...tabs} />}</div>
}

function Own({ user, tab, onTab }: { user: CurrentUser } & ProfileScreenProps) {
  const name = ownDisplayName(user)
  const hiddenFollows = useQuery(activityOptions).data?.hiddenFollows ?? 0
  return (
    <>
      <ProfileHead
        person={{ ...user, name, imageUrl: user.profileImageUrl, followingCount: user.followingCount - hiddenFollows }}
        email={user.email}
        plan={user.subscriptionTier && planWords(user.subscriptionTier, user.subscriptionEndsAt)}
        actions={<OwnActions />}
      >
        <p className="mt-4 text-muted text-sm">
          {visibilityOf(user)}{' '}
          <Link to="/settings" hash="privacy" className={textLink}>
            Change
          </Link>
        </p>
      </ProfileHead>
      <PersonTabs person={{ id: user.id, name }} isSelf tab={tab} onTab={onTab} />
    </>
  )
}

function visibilityOf({ isProfileHidden, isProfilePublic }: CurrentUser): string {
  if (isProfileHidden) return 'Moderators hid your profile. Others see “Member” instead of your name.'
  return isProfilePublic
    ? 'Your profile is public, so any member can see it.'
    : 'Your profile is private. It shows others only your name, which also appears on your posts, comments and reviews.'
}

function OwnActions() {
  return (
    <>
      <Button asChild variant="secondary">
        <Link to="/settings" hash="profile">
          <UserRoundPen aria-hidden="true" />
          Edit Profile
        </Link>
      </Button>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label="More actions for your profile" variant="outline">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          <MenuItem asChild>
            <Link to="/settings">
              <Settings aria-hidden="true" />
              Settings
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link to="/notifications/preferences">
              <BellRing aria-hidden="true" />
              Notification preferences
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link to="/settings" hash="sign-in">
              <ShieldCheck aria-hidden="true" />
              Sign-in and security
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link to="/blocked">
              <Ban aria-hidden="true" />
              Blocked people and businesses
            </Link>
          </MenuItem>
        </MenuContent>
      </Menu>
    </>
  )
}
