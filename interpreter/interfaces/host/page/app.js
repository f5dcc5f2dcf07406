document.body.textContent = "Houserules";
