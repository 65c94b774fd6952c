import { Bell, Heart, MapPin, MessageSquare, Plus, Search, Sprout, Store, Trash2, UserRound } from 'lucide-react'
import { useId, useState } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { LoadMore } from '#web/ui/paged-list.tsx'
import { PasswordInput, PasswordMeter } from '#web/ui/password-input.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { StarInput } from '#web/ui/star-input.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { Row, Specimen } from './foundations.tsx'

export function Controls() {
  return (
    <>
      <Specimen title="Buttons" note="One primary per view. Gold is only for subscribing and paying.">
        {() => (
          <>
            <Row label="Variants">
              <Button>Primary</Button>
              <Button variant="secondary">Secondary</Button>
              <Button variant="quiet">Quiet</Button>
              <Button variant="danger">
                <Trash2 aria-hidden="true" /> Delete post
              </Button>
              <Button variant="gold">Select Premium</Button>
            </Row>
            <Row label="Sizes">
              <Button size="sm">Small</Button>
              <Button size="md">
                <Plus aria-hidden="true" /> Medium
              </Button>
              <Button size="lg">Large</Button>
            </Row>
            <Row label="Waiting">
              <Button pending pendingText="Creating...">
                Create
              </Button>
              <Button variant="secondary" pending pendingText="Joining...">
                Join Community
              </Button>
              <Button variant="secondary" pending>
                Retry
              </Button>
            </Row>
            <Row label="Disabled">
              <Button disabled>Continue</Button>
              <Button variant="secondary" disabled>
                Back
              </Button>
              <Button variant="quiet" disabled>
                Skip
              </Button>
            </Row>
          </>
        )}
      </Specimen>
      <Specimen title="Icon buttons">{() => <IconButtons />}</Specimen>
      <Specimen title="Chips">{() => <Chips />}</Specimen>
      <Specimen title="Badges">
        {() => (
          <Row>
            <Badge variant="verified">Verified</Badge>
            <Badge>Unclaimed</Badge>
            <Badge variant="outline">Dispensary</Badge>
            <Badge variant="leaf">Active</Badge>
            <Badge variant="clay">Out of Stock</Badge>
          </Row>
        )}
      </Specimen>
      <Specimen title="Stars">{() => <StarSpecimens />}</Specimen>
      <Specimen title="Tabs">
        {() => (
          <Tabs defaultValue="products">
            <TabList aria-label="Business">
              <Tab value="products">Products</Tab>
              <Tab value="posts">Posts</Tab>
              <Tab value="reviews">Reviews</Tab>
              <Tab value="tools">Business Tools</Tab>
              <Tab value="closed" disabled>
                Closed
              </Tab>
            </TabList>
            <TabPanel value="products">No products available yet.</TabPanel>
            <TabPanel value="posts">No posts available yet.</TabPanel>
            <TabPanel value="reviews">No reviews yet.</TabPanel>
            <TabPanel value="tools">Sell subscriptions at your own price.</TabPanel>
          </Tabs>
        )}
      </Specimen>
      <Specimen title="Stepper">
        {() => (
          <div className="grid gap-6">
            <Stepper steps={['Account type', 'Birthday', 'Basic info']} current={2} />
            <Stepper steps={['Account type', 'Birthday', 'Basic info', 'Business info']} current={4} />
          </div>
        )}
      </Specimen>
      <Specimen title="Progress">
        {() => (
          <div className="grid gap-4">
            <Progress label="Photos uploaded" value={64} />
            <Progress label="Checklist" value={3} max={5} />
            <Progress label="Reading the file" />
          </div>
        )}
      </Specimen>
      <Specimen title="Load More">{() => <LoadMoreSpecimen />}</Specimen>
    </>
  )
}

function IconButtons() {
  const [favorite, setFavorite] = useState(true)
  return (
    <Row>
      <IconButton label="Notifications, 3 unread" count={3}>
        <Bell />
      </IconButton>
      <IconButton label="Messages, 120 unread" count={120}>
        <MessageSquare />
      </IconButton>
      <IconButton label="Add" variant="outline">
        <Plus />
      </IconButton>
      <IconButton label="Delete" size="sm">
        <Trash2 />
      </IconButton>
      <IconButton label="Messages" disabled>
        <MessageSquare />
      </IconButton>
      <span className="relative w-40 overflow-hidden rounded-card">
        <Cover id="icon buttons" type="farm" />
        <IconButton
          variant="floating"
          label="Favorite"
          aria-pressed={favorite}
          onClick={() => setFavorite(!favorite)}
          className="absolute top-2 right-2"
        >
          <Heart />
        </IconButton>
      </span>
    </Row>
  )
}

function Chips() {
  const [chosen, setChosen] = useState('All')
  return (
    <Row>
      {['All', 'Farms', 'Dispensaries', 'More'].map((name) => (
        <Chip key={name} pressed={chosen === name} onClick={() => setChosen(name)}>
          {name}
        </Chip>
      ))}
    </Row>
  )
}

function StarSpecimens() {
  const id = useId()
  const [stars, setStars] = useState<number | null>(4)
  const [none, setNone] = useState<number | null>(null)
  return (
    <div className="grid gap-5">
      <Row>
        <Stars rating={4.75} count={418} />
        <Stars rating={3.25} count={1} />
        <Stars rating={5} size="md" />
        <Stars rating={0} count={0} />
      </Row>
      <StarInput legend="Your rating" name={`${id}-rated`} value={stars} onValueChange={setStars} />
      <StarInput
        legend="Your rating"
        name={`${id}-unrated`}
        value={none}
        onValueChange={setNone}
        error={none === null ? 'A rating is required' : null}
      />
    </div>
  )
}

function LoadMoreSpecimen() {
  const [pending, setPending] = useState(false)
  return (
    <LoadMore
      pending={pending}
      onClick={() => {
        setPending(true)
        setTimeout(() => setPending(false), 1500)
      }}
    />
  )
}

export function Forms() {
  return (
    <>
      <Specimen title="Fields" note="Errors appear as text next to the field and don’t replace anything.">
        {() => (
          <div className="grid gap-5">
            <Field label="Business Name">
              <Input defaultValue="High Plains Farm" />
            </Field>
            <Field label="Location" hint="City and state only.">
              <Input placeholder="City, State" />
            </Field>
            <Field label="Location" error="Location is required">
              <Input placeholder="City, State" />
            </Field>
            <Field label="Website" optional hint="Starts with https://" error="Enter a valid address">
              <Input type="url" defaultValue="high plains" />
            </Field>
            <Field label="Email" hint="Contact support to change your email address">
              <Input type="email" value="ana@example.com" readOnly />
            </Field>
            <Field label="Phone">
              <Input type="tel" disabled value="(303) 555-0101" />
            </Field>
            <Field label="Search">
              <Input type="search" start={<Search />} placeholder="Farms, dispensaries, strains" />
            </Field>
            <Field label="Business Type">
              <Select defaultValue="farm">
                <option value="farm">Cannabis Farm</option>
                <option value="dispensary">Dispensary</option>
              </Select>
            </Field>
            <Field label="Business Type" error="Choose a business type">
              <Select defaultValue="">
                <option value="" disabled>
                  Choose one
                </option>
                <option value="farm">Cannabis Farm</option>
              </Select>
            </Field>
            <Field label="Description" optional>
              <Textarea placeholder="What makes the place special" />
            </Field>
          </div>
        )}
      </Specimen>
      <Specimen title="Password">{() => <Passwords />}</Specimen>
      <Specimen title="Choices">
        {() => (
          <div className="grid gap-6">
            <FieldGroup legend="Interests">
              <div className="grid grid-cols-2 gap-2">
                {['Flower', 'Edibles', 'Growing Tips', 'Industry News'].map((interest, index) => (
                  <Checkbox key={interest} defaultChecked={index === 1}>
                    {interest}
                  </Checkbox>
                ))}
                <Checkbox disabled>Topicals</Checkbox>
                <Checkbox disabled defaultChecked>
                  Accessories
                </Checkbox>
              </div>
            </FieldGroup>
            <Checkbox error="Confirm that you are 18 or older">I confirm that I am 18 years or older</Checkbox>
            <Switch defaultChecked hint="Others can see your name, city and reviews.">
              Public Profile
            </Switch>
            <Switch>Product Updates</Switch>
            <Switch disabled>Email Notifications</Switch>
          </div>
        )}
      </Specimen>
      <Specimen title="Radio cards">{() => <AccountType />}</Specimen>
      <Specimen title="Combobox" note="Type “de”. Use Down and Up to move, Enter to choose, Escape to close.">
        {() => <PlaceField />}
      </Specimen>
    </>
  )
}

function Passwords() {
  return (
    <div className="grid gap-5">
      <Field label="Password">
        <PasswordInput autoComplete="new-password" defaultValue="sunlight" />
      </Field>
      <PasswordMeter score={0} hint="This is a common word." />
      <PasswordMeter score={2} hint="Add another word or two." />
      <PasswordMeter score={4} />
      <PasswordMeter score={null} />
    </div>
  )
}

function AccountType() {
  const [type, privacy] = [useId(), useId()]
  return (
    <div className="grid gap-6">
      <RadioCards legend="Account type">
        <RadioCard
          name={type}
          value="consumer"
          title="Personal"
          description="Discover and follow local businesses."
          icon={<UserRound />}
          defaultChecked
        />
        <RadioCard name={type} value="business" title="Business" description="A profile, a menu and your customers." icon={<Store />} />
      </RadioCards>
      <RadioCards legend="Privacy" error="Choose who can join" className="sm:grid-flow-row!">
        <RadioCard name={privacy} value="public" title="Public" description="Anyone can join." icon={<Sprout />} />
        <RadioCard name={privacy} value="invite" title="Invite Only" disabled />
      </RadioCards>
    </div>
  )
}

const places = ['Denver, CO', 'Detroit, MI', 'Des Moines, IA', 'Decatur, GA', 'Del Norte, CO', 'Portland, OR', 'Portland, ME']

function PlaceField() {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  async function find(query: string) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    return places.filter((place) => place.toLowerCase().startsWith(query.toLowerCase()))
  }
  async function fail(): Promise<string[]> {
    throw new Error('No connection')
  }
  return (
    <div className="grid gap-5 pb-2">
      <Field label="Near">
        <Combobox
          value={text}
          onValueChange={setText}
          loadOptions={find}
          optionKey={(place) => place}
          optionText={(place) => place}
          renderOption={(place) => (
            <>
              <MapPin aria-hidden="true" className="size-4.5 text-muted" /> {place}
            </>
          )}
          onSelect={setChosen}
          emptyText="No matching place"
          placeholder="City or ZIP"
          start={<MapPin />}
        />
      </Field>
      <Field label="Near, without a connection">
        <Failing load={fail} />
      </Field>
      <Row>{chosen ? `Chosen: ${chosen}` : 'Nothing chosen yet'}</Row>
    </div>
  )
}

function Failing({ load }: { load: () => Promise<string[]> }) {
  const [text, setText] = useState('')
  return <Combobox value={text} onValueChange={setText} loadOptions={load} optionKey={String} optionText={String} onSelect={setText} />
}
