import { chromium } from '@playwright/test'
const args=['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync']
const browser = await chromium.launch({executablePath:'/usr/bin/chromium',args})
const [,, who='northgate@harbour.example', mode='desktop', ...paths]=process.argv
const dark=mode.includes('dark'), mob=mode.includes('mobile')
const ctx=await browser.newContext({viewport: mob?{width:390,height:844}:{width:1440,height:900}, colorScheme: dark?'dark':'light'})
const page=await ctx.newPage()
page.on('console',m=>{if(['error','warning'].includes(m.type()))console.log('CONSOLE',m.text().slice(0,300))})
page.on('pageerror',e=>console.log('PAGEERROR',e.message.slice(0,400)))
page.on('response',async r=>{if(r.status()>=400)console.log(r.status(),r.url().slice(0,120))})
await page.goto('http://localhost:3100/')
await page.waitForSelector('input[type=password]',{timeout:15000})
await page.screenshot({path:`/tmp/w/shots/${mode}-signin.png`})
await page.fill('input[name=login], input[type=email], input[name=email]',who)
await page.fill('input[type=password]','Harbour-demo-26')
await page.keyboard.press('Enter'); await page.waitForTimeout(3000); await page.screenshot({path:'/tmp/w/shots/x.png'}); console.log(page.url())
await page.waitForSelector('.bar',{timeout:15000})
await page.waitForTimeout(800)
await page.screenshot({path:`/tmp/w/shots/${mode}-home.png`})
for(const p of paths){
  if(p.startsWith('click:')){ await page.click(p.slice(6)); await page.waitForTimeout(900); await page.screenshot({path:`/tmp/w/shots/${mode}-after-click${paths.indexOf(p)}.png`}); continue}
  await page.goto('http://localhost:3100'+p); await page.waitForSelector('.bar'); await page.waitForTimeout(1500)
  await page.screenshot({path:`/tmp/w/shots/${mode}-${p.replaceAll('/','_').replace(/[?=]/g,'-')}.png`})
}
console.log(page.url())
await browser.close()
