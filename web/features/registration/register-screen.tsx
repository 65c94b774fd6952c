import { Navigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { brand } from '../../lib/boot.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { LoadingScreen } from '../../ui/loading-screen.tsx'
import { toast } from '../../ui/toast-store.ts'
import { forget, recall } from '../accounts/tab-memory.ts'
import { AddBusiness } from './add-business.tsx'
import { RegisterWizard } from './register-wizard.tsx'
import { registeredKey } from './registered.ts'

const ClaimScreen = lazy(async () => ({ default: (await import('../claims/claim-screen.tsx')).ClaimScreen }))

/**
 * The page /business/register: the wizard for those who are new, the business alone for those who are signed in. With the slug of a
 * listing (`claim`), it is about claiming that one.
 */
export default function RegisterScreen({ claim }: { claim: string | undefined }) {
  const user = useCurrentUser()
  // The page was loaded again after the wizard's success: now there is somebody to welcome.
  const [isNew] = useState(() => recall(registeredKey) === true)
  useEffect(() => {
    if (!isNew || recall(registeredKey) !== true) return
    forget(registeredKey)
    toast({ title: `Welcome to ${brand.name}!`, description: 'Your account has been created successfully.' })
  }, [isNew])
  if (!user) return <RegisterWizard claim={claim} />
  if (claim) {
    return (
      <Suspense fallback={<LoadingScreen />}>
        <ClaimScreen key={claim} slug={claim} />
      </Suspense>
    )
  }
  return isNew ? <Navigate to="/" replace /> : <AddBusiness user={user} />
}
