import { Link } from '@tanstack/react-router'
import { Ban, BellRing, Ellipsis, ShieldCheck } from 'lucide-react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { ownDisplayName } from '../../../contracts/display-name.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { PersonPosts } from './person-posts.tsx'
import { ProfileHead } from './profile-head.tsx'

/** The signed-in person's own profile. */
export function ProfileScreen() {
  const user = useCurrentUser()
  return <div className="mx-auto grid max-w-feed gap-8 px-4 pt-6 pb-16 sm:px-6">{user ? <Own user={user} /> : <SignedOut />}</div>
}

function SignedOut() {
  return (
    <div>
      <h1 className="sr-only">Profile</h1>
      <EmptyState title="Profile Not Found" description="Please sign in to view your profile.">
        <Button asChild>
          <a href="/api/login?returnTo=/profile">Sign In</a>
        </Button>
      </EmptyState>
    </div>
  )
}

function Own({ user }: { user: CurrentUser }) {
  return (
    <>
      <ProfileHead
        person={{ ...user, name: ownDisplayName(user), imageUrl: user.profileImageUrl }}
        email={user.email}
        subscriptionTier={user.subscriptionTier}
        actions={<OwnMenu />}
      >
        <p className="mt-4 text-muted text-sm">
          {user.isProfilePublic
            ? 'Your profile is public to members.'
            : 'Your profile is private: others see your name, and what you post and review under it.'}
        </p>
      </ProfileHead>
      <PersonPosts id={user.id} isSelf />
    </>
  )
}

function OwnMenu() {
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton label="More about your profile" variant="outline">
          <Ellipsis aria-hidden="true" />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        <MenuItem asChild>
          <Link to="/notifications/preferences">
            <BellRing aria-hidden="true" />
            Notification preferences
          </Link>
        </MenuItem>
        <MenuItem asChild>
          <Link to="/security">
            <ShieldCheck aria-hidden="true" />
            Sign-in security
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
  )
}
