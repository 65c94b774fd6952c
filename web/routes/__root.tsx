import { createRootRoute, Outlet } from '@tanstack/react-router'
import * as React from 'react'
import { safeReturnTo } from '../../contracts/return-to.ts'

export const Route = createRootRoute({
  component: RootComponent,
})

function RootComponent() {
  return (
    <React.Fragment>
      <div>Hello "__root"!</div>
      <Outlet />
    </React.Fragment>
  )
}
