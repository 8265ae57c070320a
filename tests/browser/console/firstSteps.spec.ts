import { expect, test } from '@playwright/test'
import { breaches, signIn } from '../support.ts'

test('the remaining first steps are on the home page until a user hides them, and help shows them again', {
  tag: '@journey',
}, async ({ page }) => {
  // In this trust no other journey submits a budget at the same time.
  await signIn(page, 'finance@meadow.example')
  await page.goto('/')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText(/\d+ of 13 done/)
  await steps.getByRole('button', { name: /^How to: Submit/ }).click()
  const panel = page.getByRole('complementary', { name: 'Help' })
  await expect(panel.getByRole('heading', { name: 'Have a budget approved' })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await steps.getByRole('button', { name: 'Hide the first steps' }).click()
  await expect(steps).toBeHidden()
  await panel.getByRole('button', { name: 'First steps' }).click()
  await expect(steps).toBeVisible()
})

test('the tour has five stops, can be left at each, and starts again from help', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example')
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Help' })
  await panel.getByRole('button', { name: 'Tour' }).click()
  const stop = page.getByRole('dialog')
  for (const title of ['Where you work', 'The menu', 'Find anything', 'To do', 'Help on every screen']) {
    await expect(stop.getByRole('heading', { name: title })).toBeVisible()
    await stop.getByRole('button', { name: /^(Next|Done)$/ }).click()
  }
  await expect(stop).toBeHidden()
  await panel.getByRole('button', { name: 'Tour' }).click()
  await stop.getByRole('button', { name: 'Leave the tour' }).click()
  await expect(stop).toBeHidden()
})
