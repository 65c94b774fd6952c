import type { TeamRole } from '#server/features/team/index.ts'
import { addBusiness, type TestBusiness } from './businesses.ts'
import type { TestApp, TestPerson } from './test-app.ts'

type Keepers = Record<TeamRole | 'stranger' | 'ownerOfAnother', TestPerson> & { shop: TestBusiness; another: TestBusiness }

export async function addMember(test: TestApp, business: TestBusiness, role: TeamRole): Promise<TestPerson> {
  const person = await test.signUp()
  await test.db.insertInto('business_members').values({ business_id: business.id, user_id: person.user.id, role }).execute()
  return person
}

/** Two businesses, the first one's team, the other one's owner, and a stranger. */
export async function addKeepers(test: TestApp): Promise<Keepers> {
  const shop = await addBusiness(test.db)
  const another = await addBusiness(test.db)
  return {
    shop,
    another,
    owner: await addMember(test, shop, 'owner'),
    manager: await addMember(test, shop, 'manager'),
    staff: await addMember(test, shop, 'staff'),
    ownerOfAnother: await addMember(test, another, 'owner'),
    stranger: await test.signUp(),
  }
}
