import type { Endpoint } from '../../contracts/endpoint.ts'

/**
 * Keeps demo accounts, whose password is public, away from everything real. Both checks are made by `route` for each write of a demo
 * account; what is allowed is listed in features/demo/demo-account.ts.
 */
export type DemoGate = {
  /** Before the body is read. @throws AppError forbidden for a call that demo accounts never make */
  requireListed(endpoint: Endpoint): void
  /** @throws AppError forbidden unless the call is about demo content */
  requireDemoSubject(endpoint: Endpoint, input: { params: unknown; body: unknown }): Promise<void>
}
