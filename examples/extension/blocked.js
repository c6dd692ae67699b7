document.querySelector("#matched").textContent = new URLSearchParams(location.search).get("matched");
