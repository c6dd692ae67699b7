// Shows the verdict on the tab that is open, or on ?url=….
const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
const url = new URLSearchParams(location.search).get("url") ?? tab.url;
const { verdict, matched, source, engine, reason } = await chrome.runtime.sendMessage({ url });
document.querySelector("#verdict").textContent = [
  verdict,
  matched && `listed as ${matched}`,
  source && `says the ${source}`,
  engine && `engine ${engine}`,
  reason,
]
  .filter(Boolean)
  .join("; ");
